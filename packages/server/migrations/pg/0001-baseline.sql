CREATE TABLE "idempotency_keys" (
	"key_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C",
	"request_hash" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"claim_id" text COLLATE "C" NOT NULL,
	"lease_until_ms" bigint NOT NULL,
	"answer" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C",
	"lane" text COLLATE "C" NOT NULL,
	"payload" text NOT NULL,
	"traceparent" text COLLATE "C",
	"state" text COLLATE "C" NOT NULL,
	"attempts" integer NOT NULL,
	"run_at_ms" bigint NOT NULL,
	"lease_until_ms" bigint,
	"fence" bigint NOT NULL,
	"unique_key" text COLLATE "C",
	"last_error" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	"finished_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"holder" text COLLATE "C" NOT NULL,
	"fence" bigint NOT NULL,
	"until_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schedule_ticks" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"tick" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_outbox" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"chain" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C",
	"affected_org_id" text COLLATE "C",
	"event" text NOT NULL,
	"details" text COLLATE "C",
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"display_name" text COLLATE "C" NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C" NOT NULL,
	"parent_org_id" text COLLATE "C",
	"root_org_id" text COLLATE "C" NOT NULL,
	"is_system" boolean NOT NULL,
	"owner_id" text COLLATE "C",
	"tier" text COLLATE "C" NOT NULL,
	"settings" text NOT NULL,
	"seat_limit" integer,
	"sso_enforced_at_ms" bigint,
	"sso_lost_at_ms" bigint,
	"addon_features" text NOT NULL,
	"revision" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL,
	"deleted_at_ms" bigint,
	"deleted_by" text COLLATE "C",
	"purge_after_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"username" text COLLATE "C" NOT NULL,
	"username_key" text COLLATE "C" NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_key" text COLLATE "C" NOT NULL,
	"pending_email" text COLLATE "C",
	"pending_session_id" text COLLATE "C",
	"email_verified_at_ms" bigint,
	"password_hash" text COLLATE "C",
	"password_proved_key" text COLLATE "C",
	"must_change_password" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"feature_overrides" text NOT NULL,
	"token_version" integer NOT NULL,
	"active_org_id" text COLLATE "C",
	"preferences" text NOT NULL,
	"revision" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL,
	"last_active_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"is_active" boolean NOT NULL,
	"joined_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C" NOT NULL,
	"permissions" text NOT NULL,
	"built_in" boolean NOT NULL,
	"grants_level" text COLLATE "C" NOT NULL,
	"revision" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "role_assignments" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"role_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compliance_roles" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"role" text COLLATE "C" NOT NULL,
	"granted_by" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_key" text COLLATE "C" NOT NULL,
	"live_key" text COLLATE "C",
	"role" text COLLATE "C" NOT NULL,
	"role_ids" text NOT NULL,
	"message" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"token_hash" text COLLATE "C" NOT NULL,
	"invitation_type" text COLLATE "C" NOT NULL,
	"allowed_oauth_providers" text NOT NULL,
	"invited_by" text COLLATE "C" NOT NULL,
	"expires_at_ms" bigint NOT NULL,
	"sent_at_ms" bigint NOT NULL,
	"send_count" integer NOT NULL,
	"resend_day" text COLLATE "C",
	"resends_on_day" integer NOT NULL,
	"sent_by_mail" boolean NOT NULL,
	"accepted_at_ms" bigint,
	"accepted_by" text COLLATE "C",
	"accepted_via" text COLLATE "C",
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service_principals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C",
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"secret_hash" text COLLATE "C" NOT NULL,
	"secret_hint" text COLLATE "C" NOT NULL,
	"previous_secret_hash" text COLLATE "C",
	"previous_until_ms" bigint,
	"scopes" text NOT NULL,
	"include_teams" boolean NOT NULL,
	"expires_at_ms" bigint NOT NULL,
	"valid_for_ms" bigint NOT NULL,
	"last_used_at_ms" bigint,
	"disabled_at_ms" bigint,
	"created_by" text COLLATE "C" NOT NULL,
	"revision" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "org_secrets" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"sealed" text COLLATE "C" NOT NULL,
	"plugins" text NOT NULL,
	"updated_by" text COLLATE "C" NOT NULL,
	"revision" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity_stamps" (
	"kind" text COLLATE "C" PRIMARY KEY NOT NULL,
	"stamp" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C",
	"refresh_hash" text COLLATE "C" NOT NULL,
	"prev_hash" text COLLATE "C",
	"successor" text COLLATE "C",
	"rotated_at_ms" bigint,
	"cookie_hash" text COLLATE "C",
	"prev_cookie_hash" text COLLATE "C",
	"cookie_given_at_ms" bigint,
	"created_at_ms" bigint NOT NULL,
	"last_used_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint NOT NULL,
	"authenticated_at_ms" bigint NOT NULL,
	"methods" text NOT NULL,
	"bound_org_id" text COLLATE "C",
	"provider_id" text COLLATE "C",
	"provider_subject" text COLLATE "C",
	"provider_sid" text COLLATE "C",
	"ip" text COLLATE "C",
	"user_agent" text COLLATE "C",
	"revoked_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "session_proofs" (
	"session_id" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"method" text COLLATE "C" NOT NULL,
	"proved_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint,
	"provider_id" text COLLATE "C",
	"provider_subject" text COLLATE "C",
	"provider_sid" text COLLATE "C",
	CONSTRAINT "session_proofs_session_id_org_id_pk" PRIMARY KEY("session_id","org_id")
);
--> statement-breakpoint
CREATE TABLE "spent_refresh_tokens" (
	"token_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"spent_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "personal_access_tokens" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"token_hash" text COLLATE "C" NOT NULL,
	"hint" text COLLATE "C" NOT NULL,
	"permissions" text,
	"bind_to_password" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint NOT NULL,
	"last_used_at_ms" bigint,
	"revoked_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "one_time_tokens" (
	"token_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"email" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lockouts" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"last_failure_at_ms" bigint NOT NULL,
	"locked_until_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "known_networks" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"last_used_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_pauses" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sent_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "used_token_ids" (
	"jti" text COLLATE "C" PRIMARY KEY NOT NULL,
	"expires_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "totp_factors" (
	"user_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sealed_secret" text COLLATE "C" NOT NULL,
	"confirmed_at_ms" bigint,
	"last_time_step" bigint,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"code_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "social_links" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"provider" text COLLATE "C" NOT NULL,
	"issuer" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"email" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	"last_used_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idp_groups" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"provider_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C",
	"is_scim" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idp_group_members" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"group_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "group_roles" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"provider_id" text COLLATE "C" NOT NULL,
	"group_id" text COLLATE "C" NOT NULL,
	"role_id" text COLLATE "C" NOT NULL,
	"author_id" text COLLATE "C" NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scim_tokens" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"provider_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"token_hash" text COLLATE "C" NOT NULL,
	"hint" text COLLATE "C" NOT NULL,
	"created_by" text COLLATE "C" NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint NOT NULL,
	"last_used_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "scim_users" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"provider_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"user_name" text COLLATE "C" NOT NULL,
	"user_name_key" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C",
	"email" text COLLATE "C" NOT NULL,
	"email_key" text COLLATE "C" NOT NULL,
	"display_name" text COLLATE "C",
	"given_name" text COLLATE "C",
	"family_name" text COLLATE "C",
	"formatted_name" text COLLATE "C",
	"title" text COLLATE "C",
	"display_name_key" text COLLATE "C",
	"given_name_key" text COLLATE "C",
	"family_name_key" text COLLATE "C",
	"formatted_name_key" text COLLATE "C",
	"title_key" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"chain" text COLLATE "C" NOT NULL,
	"seq" bigint NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"action" text COLLATE "C" NOT NULL,
	"actor_id" text COLLATE "C" NOT NULL,
	"actor_role" text COLLATE "C",
	"org_id" text COLLATE "C",
	"affected_org_id" text COLLATE "C",
	"target_type" text COLLATE "C",
	"target_id" text COLLATE "C",
	"group_id" text COLLATE "C",
	"impersonator_id" text COLLATE "C",
	"outcome" text COLLATE "C" NOT NULL,
	"request_id" text COLLATE "C",
	"trace_id" text COLLATE "C",
	"idempotency_key" text COLLATE "C",
	"occurred_at" text COLLATE "C",
	"created_at" text COLLATE "C" NOT NULL,
	"prev_hash" text COLLATE "C" NOT NULL,
	"actor_email" text COLLATE "C",
	"ip" text COLLATE "C",
	"user_agent" text COLLATE "C",
	"identity_salt" text COLLATE "C",
	"identity_hash" text COLLATE "C" NOT NULL,
	"details" text COLLATE "C",
	"details_salt" text COLLATE "C",
	"details_hash" text COLLATE "C",
	"hash" text COLLATE "C" NOT NULL,
	CONSTRAINT "audit_events_chain_seq_pk" PRIMARY KEY("chain","seq")
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"chain" text COLLATE "C" PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	"frontier" text NOT NULL,
	"checkpoint_size" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_checkpoints" (
	"chain" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	"note" text COLLATE "C" NOT NULL,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "audit_checkpoints_chain_size_pk" PRIMARY KEY("chain","size")
);
--> statement-breakpoint
CREATE TABLE "audit_directories" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"note" text COLLATE "C" NOT NULL,
	"heads" text NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_anchors" (
	"chain" text COLLATE "C" PRIMARY KEY NOT NULL,
	"through_seq" bigint NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"pruned_count" bigint NOT NULL,
	"pruned_at" text COLLATE "C" NOT NULL,
	"origin" text COLLATE "C" NOT NULL,
	"frontier" text NOT NULL,
	"signature" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_witnessed" (
	"witness" text COLLATE "C" NOT NULL,
	"chain" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	CONSTRAINT "audit_witnessed_witness_chain_pk" PRIMARY KEY("witness","chain")
);
--> statement-breakpoint
CREATE TABLE "audit_ingest_keys" (
	"service" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"body_hash" text COLLATE "C" NOT NULL,
	"event_id" text COLLATE "C" NOT NULL,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "audit_ingest_keys_service_org_id_key_pk" PRIMARY KEY("service","org_id","key")
);
--> statement-breakpoint
CREATE TABLE "quota_limits" (
	"org_id" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"override" bigint,
	"granted" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL,
	CONSTRAINT "quota_limits_org_id_type_pk" PRIMARY KEY("org_id","type")
);
--> statement-breakpoint
CREATE TABLE "quota_counters" (
	"org_id" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"period_start_ms" bigint NOT NULL,
	"used" bigint NOT NULL,
	CONSTRAINT "quota_counters_org_id_type_period_start_ms_pk" PRIMARY KEY("org_id","type","period_start_ms")
);
--> statement-breakpoint
CREATE TABLE "quota_pools" (
	"org_id" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"period_start_ms" bigint NOT NULL,
	"used" bigint NOT NULL,
	CONSTRAINT "quota_pools_org_id_type_period_start_ms_pk" PRIMARY KEY("org_id","type","period_start_ms")
);
--> statement-breakpoint
CREATE TABLE "quota_notices" (
	"org_id" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"period_start_ms" bigint NOT NULL,
	"threshold" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "quota_notices_org_id_type_period_start_ms_threshold_pk" PRIMARY KEY("org_id","type","period_start_ms","threshold")
);
--> statement-breakpoint
CREATE TABLE "quota_increments" (
	"org_id" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"amount" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "quota_increments_org_id_key_pk" PRIMARY KEY("org_id","key")
);
--> statement-breakpoint
CREATE TABLE "compliance_scans" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C",
	"target" text COLLATE "C" NOT NULL,
	"filter" text,
	"dry_run" boolean NOT NULL,
	"triggered_by" text COLLATE "C" NOT NULL,
	"slot_key" text COLLATE "C",
	"status" text COLLATE "C" NOT NULL,
	"plugin_slot" text COLLATE "C",
	"pipeline_slot" text COLLATE "C",
	"total_entities" integer NOT NULL,
	"processed_entities" integer NOT NULL,
	"pass_count" integer NOT NULL,
	"warn_count" integer NOT NULL,
	"block_count" integer NOT NULL,
	"told_count" integer NOT NULL,
	"cursor_target" text COLLATE "C",
	"cursor_id" text COLLATE "C",
	"error_message" text COLLATE "C",
	"heartbeat_at_ms" bigint,
	"started_at_ms" bigint,
	"completed_at_ms" bigint,
	"cancelled_at_ms" bigint,
	"cancelled_by" text COLLATE "C",
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compliance_scan_schedules" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"target" text COLLATE "C" NOT NULL,
	"cron_expression" text COLLATE "C" NOT NULL,
	"is_active" boolean NOT NULL,
	"last_run_at_ms" bigint,
	"next_run_at_ms" bigint,
	"revision" integer NOT NULL,
	"created_by" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	"updated_by" text COLLATE "C",
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compliance_rules" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"live_name" text COLLATE "C",
	"description" text COLLATE "C",
	"target" text COLLATE "C" NOT NULL,
	"severity" text COLLATE "C" NOT NULL,
	"severity_rank" integer NOT NULL,
	"priority" integer NOT NULL,
	"scope" text COLLATE "C" NOT NULL,
	"check_body" text NOT NULL,
	"tags" text NOT NULL,
	"tag_text" text COLLATE "C" NOT NULL,
	"propagate_to_children" boolean NOT NULL,
	"is_template" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"suppress_notification" boolean NOT NULL,
	"mode" text COLLATE "C" NOT NULL,
	"effective_from_ms" bigint,
	"effective_until_ms" bigint,
	"forked_from_rule_id" text COLLATE "C",
	"version" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"created_by" text COLLATE "C",
	"updated_at_ms" bigint NOT NULL,
	"updated_by" text COLLATE "C",
	"deleted_at_ms" bigint,
	"deleted_by" text COLLATE "C",
	"purge_after_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "compliance_rule_versions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"rule_id" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"scope" text COLLATE "C" NOT NULL,
	"is_template" boolean NOT NULL,
	"propagate_to_children" boolean NOT NULL,
	"mode" text COLLATE "C" NOT NULL,
	"body" text NOT NULL,
	"valid_from_ms" bigint NOT NULL,
	"valid_to_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "compliance_rule_history" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"rule_id" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"scope" text COLLATE "C" NOT NULL,
	"change_type" text COLLATE "C" NOT NULL,
	"previous_state" text,
	"changed_by" text COLLATE "C",
	"changed_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compliance_subscriptions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"rule_id" text COLLATE "C" NOT NULL,
	"is_active" boolean NOT NULL,
	"mode" text COLLATE "C" NOT NULL,
	"pinned_version" integer,
	"pinned_at_ms" bigint,
	"pinned_by" text COLLATE "C",
	"source" text COLLATE "C" NOT NULL,
	"opted_out" boolean NOT NULL,
	"subscribed_at_ms" bigint NOT NULL,
	"subscribed_by" text COLLATE "C",
	"unsubscribed_at_ms" bigint,
	"unsubscribed_by" text COLLATE "C",
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compliance_policies" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"live_key" text COLLATE "C",
	"description" text COLLATE "C",
	"tags" text NOT NULL,
	"tag_text" text COLLATE "C" NOT NULL,
	"is_template" boolean NOT NULL,
	"is_published" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"revision" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"created_by" text COLLATE "C",
	"updated_at_ms" bigint NOT NULL,
	"updated_by" text COLLATE "C",
	"deleted_at_ms" bigint,
	"deleted_by" text COLLATE "C",
	"purge_after_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "compliance_policy_rules" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"policy_id" text COLLATE "C" NOT NULL,
	"rule_id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compliance_subscription_intervals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"rule_id" text COLLATE "C" NOT NULL,
	"mode" text COLLATE "C" NOT NULL,
	"pinned_version" integer,
	"valid_from_ms" bigint NOT NULL,
	"valid_to_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "compliance_policy_rule_intervals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"policy_id" text COLLATE "C" NOT NULL,
	"rule_id" text COLLATE "C" NOT NULL,
	"is_active" boolean NOT NULL,
	"valid_from_ms" bigint NOT NULL,
	"valid_to_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "compliance_past_starts" (
	"org_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"from_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compliance_exemptions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"review_org_id" text COLLATE "C" NOT NULL,
	"rule_id" text COLLATE "C" NOT NULL,
	"entity_type" text COLLATE "C" NOT NULL,
	"entity_id" text COLLATE "C",
	"entity_key" text,
	"entity_key_text" text COLLATE "C",
	"entity_name" text COLLATE "C",
	"reason" text COLLATE "C" NOT NULL,
	"expires_at_ms" bigint,
	"status" text COLLATE "C" NOT NULL,
	"open_key" text COLLATE "C",
	"reviewed_by" text COLLATE "C",
	"reviewed_at_ms" bigint,
	"approved_by" text COLLATE "C",
	"rejection_reason" text COLLATE "C",
	"revision" integer NOT NULL,
	"created_by" text COLLATE "C",
	"impersonator_id" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	"updated_by" text COLLATE "C",
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compliance_entitlements" (
	"org_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sets" text NOT NULL,
	"watermark_ms" bigint,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compliance_rule_set_stamps" (
	"org_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"stamp" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compliance_checks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C",
	"target" text COLLATE "C" NOT NULL,
	"action" text COLLATE "C" NOT NULL,
	"entity_id" text COLLATE "C",
	"entity_name" text COLLATE "C",
	"result" text COLLATE "C" NOT NULL,
	"violations" text NOT NULL,
	"observed" text NOT NULL,
	"exempted" text,
	"unresolved" text,
	"rule_text" text COLLATE "C" NOT NULL,
	"rule_count" integer NOT NULL,
	"rules_skipped" integer NOT NULL,
	"exemptions_applied" text NOT NULL,
	"attributes_hash" text COLLATE "C" NOT NULL,
	"scan_id" text COLLATE "C",
	"event_id" text COLLATE "C",
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compliance_check_seals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"ordinal" bigint NOT NULL,
	"from_ms" bigint NOT NULL,
	"through_ms" bigint NOT NULL,
	"manifest" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compliance_entity_states" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"target" text COLLATE "C" NOT NULL,
	"entity_id" text COLLATE "C" NOT NULL,
	"event_at_ms" bigint NOT NULL,
	"event_id" text COLLATE "C" NOT NULL,
	"result" text COLLATE "C",
	"violated_rule_ids" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compliance_findings" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"target" text COLLATE "C" NOT NULL,
	"entity_id" text COLLATE "C" NOT NULL,
	"entity_name" text COLLATE "C" NOT NULL,
	"entity_name_key" text COLLATE "C" NOT NULL,
	"key_text" text COLLATE "C",
	"any_key_text" text COLLATE "C",
	"owner_id" text COLLATE "C",
	"rule_id" text COLLATE "C" NOT NULL,
	"rule_name" text COLLATE "C" NOT NULL,
	"rule_name_key" text COLLATE "C" NOT NULL,
	"severity" text COLLATE "C" NOT NULL,
	"severity_rank" integer NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"violation" text NOT NULL,
	"check_id" text COLLATE "C" NOT NULL,
	"action" text COLLATE "C" NOT NULL,
	"scan_id" text COLLATE "C",
	"first_seen_at_ms" bigint NOT NULL,
	"since_ms" bigint NOT NULL,
	"last_seen_at_ms" bigint NOT NULL,
	"checked_at_ms" bigint NOT NULL,
	"fixed_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "compliance_check_days" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"day_ms" bigint NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C",
	"checks" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_preferences" (
	"org_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"notify_on_warning" boolean NOT NULL,
	"email_enabled" boolean NOT NULL,
	"digest_mode" text COLLATE "C" NOT NULL,
	"mode_since_ms" bigint NOT NULL,
	"last_digest_at_ms" bigint,
	"target_users" text,
	"webhook_url" text COLLATE "C",
	"sealed_secret" text COLLATE "C",
	"revision" integer NOT NULL,
	"updated_by" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"once_key" text COLLATE "C" NOT NULL,
	"event" text COLLATE "C" NOT NULL,
	"priority" text COLLATE "C" NOT NULL,
	"payload" text NOT NULL,
	"related_check_id" text COLLATE "C",
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_deliveries" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"notification_id" text COLLATE "C" NOT NULL,
	"channel" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"attempts" integer NOT NULL,
	"attempts_before" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_log" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"notification_id" text COLLATE "C" NOT NULL,
	"delivery_id" text COLLATE "C" NOT NULL,
	"event" text COLLATE "C" NOT NULL,
	"channel" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"attempt" integer NOT NULL,
	"response_code" integer,
	"error" text COLLATE "C",
	"next_retry_at_ms" bigint,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"recipient_org_id" text COLLATE "C" NOT NULL,
	"recipient_user_id" text COLLATE "C",
	"root_id" text COLLATE "C" NOT NULL,
	"is_root" boolean NOT NULL,
	"thread_org_id" text COLLATE "C" NOT NULL,
	"thread_recipient_org_id" text COLLATE "C" NOT NULL,
	"thread_recipient_user_id" text COLLATE "C",
	"announcement_id" text COLLATE "C",
	"created_by" text COLLATE "C" NOT NULL,
	"sender_name" text COLLATE "C" NOT NULL,
	"sender_org_name" text COLLATE "C" NOT NULL,
	"recipient_org_name" text COLLATE "C" NOT NULL,
	"message_type" text COLLATE "C" NOT NULL,
	"channel" text COLLATE "C",
	"subject" text COLLATE "C" NOT NULL,
	"subject_key" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	"priority" integer NOT NULL,
	"reply_count" integer NOT NULL,
	"activity_at_ms" bigint NOT NULL,
	"attachment_count" integer NOT NULL,
	"revision" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL,
	"edited_at_ms" bigint,
	"deleted_at_ms" bigint,
	"deleted_by" text COLLATE "C",
	"purge_after_ms" bigint,
	"deletion_id" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "message_search" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"recipient_org_id" text COLLATE "C" NOT NULL,
	"thread_org_id" text COLLATE "C" NOT NULL,
	"thread_recipient_org_id" text COLLATE "C" NOT NULL,
	"entity_id" text COLLATE "C" NOT NULL,
	"root_id" text COLLATE "C" NOT NULL,
	"scope" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_reads" (
	"org_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"message_id" text COLLATE "C" NOT NULL,
	"read_at_ms" bigint NOT NULL,
	CONSTRAINT "message_reads_org_id_user_id_message_id_pk" PRIMARY KEY("org_id","user_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "message_attachments" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"uploaded_by" text COLLATE "C" NOT NULL,
	"message_id" text COLLATE "C",
	"recipient_org_id" text COLLATE "C",
	"position" integer NOT NULL,
	"filename" text COLLATE "C" NOT NULL,
	"content_type" text COLLATE "C" NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"blob_key" text COLLATE "C" NOT NULL,
	"thumbnail_key" text COLLATE "C",
	"thumbnail_type" text COLLATE "C",
	"thumbnail_bytes" bigint NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_events" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"message_id" text COLLATE "C" NOT NULL,
	"root_id" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"recipient_org_id" text COLLATE "C" NOT NULL,
	"recipient_user_id" text COLLATE "C",
	"user_id" text COLLATE "C",
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pipelines" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"project" text COLLATE "C" NOT NULL,
	"organization" text COLLATE "C" NOT NULL,
	"project_key" text COLLATE "C" NOT NULL,
	"organization_key" text COLLATE "C" NOT NULL,
	"pipeline_name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C" NOT NULL,
	"keywords" text NOT NULL,
	"access_modifier" text COLLATE "C" NOT NULL,
	"is_active" boolean NOT NULL,
	"default_key" text COLLATE "C",
	"owner_id" text COLLATE "C",
	"owner_type" text COLLATE "C",
	"lifecycle" text COLLATE "C" NOT NULL,
	"criticality" text COLLATE "C",
	"labels" text NOT NULL,
	"links" text NOT NULL,
	"template_id" text COLLATE "C",
	"template_version" integer,
	"compliance_result" text COLLATE "C",
	"compliance_checked_at_ms" bigint,
	"revision" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"created_by" text COLLATE "C" NOT NULL,
	"updated_at_ms" bigint NOT NULL,
	"updated_by" text COLLATE "C" NOT NULL,
	"deleted_at_ms" bigint,
	"deleted_by" text COLLATE "C",
	"purge_after_ms" bigint,
	"props" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pipeline_plugins" (
	"pipeline_id" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"is_shared" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"is_first" boolean NOT NULL,
	CONSTRAINT "pipeline_plugins_org_id_pipeline_id_name_version_pk" PRIMARY KEY("org_id","pipeline_id","name","version")
);
--> statement-breakpoint
CREATE TABLE "pipeline_keywords" (
	"pipeline_id" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"is_shared" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"keyword" text COLLATE "C" NOT NULL,
	CONSTRAINT "pipeline_keywords_org_id_pipeline_id_keyword_pk" PRIMARY KEY("org_id","pipeline_id","keyword")
);
--> statement-breakpoint
CREATE TABLE "pipeline_labels" (
	"entity_id" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"is_shared" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	CONSTRAINT "pipeline_labels_org_id_entity_id_key_pk" PRIMARY KEY("org_id","entity_id","key")
);
--> statement-breakpoint
CREATE TABLE "pipeline_search" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"entity_id" text COLLATE "C" NOT NULL,
	"scope" text COLLATE "C" NOT NULL,
	"is_shared" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pipeline_revisions" (
	"pipeline_id" text COLLATE "C" NOT NULL,
	"revision" integer NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"change" text COLLATE "C" NOT NULL,
	"changed_at_ms" bigint NOT NULL,
	"changed_by" text COLLATE "C" NOT NULL,
	"record" text NOT NULL,
	CONSTRAINT "pipeline_revisions_pipeline_id_revision_pk" PRIMARY KEY("pipeline_id","revision")
);
--> statement-breakpoint
CREATE TABLE "pipeline_registry" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"pipeline_id" text COLLATE "C" NOT NULL,
	"pipeline_name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"resource_id" text COLLATE "C",
	"resource_hash" text COLLATE "C",
	"target" text COLLATE "C" NOT NULL,
	"region" text COLLATE "C",
	"project" text COLLATE "C" NOT NULL,
	"organization" text COLLATE "C" NOT NULL,
	"stack_name" text COLLATE "C",
	"last_deployed_ms" bigint NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pipeline_templates" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"live_key" text COLLATE "C",
	"description" text COLLATE "C" NOT NULL,
	"keywords" text NOT NULL,
	"category" text COLLATE "C" NOT NULL,
	"inputs" text NOT NULL,
	"access_modifier" text COLLATE "C" NOT NULL,
	"is_active" boolean NOT NULL,
	"version" integer NOT NULL,
	"owner_id" text COLLATE "C",
	"owner_type" text COLLATE "C",
	"lifecycle" text COLLATE "C" NOT NULL,
	"criticality" text COLLATE "C",
	"labels" text NOT NULL,
	"links" text NOT NULL,
	"revision" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"created_by" text COLLATE "C" NOT NULL,
	"updated_at_ms" bigint NOT NULL,
	"updated_by" text COLLATE "C" NOT NULL,
	"deleted_at_ms" bigint,
	"deleted_by" text COLLATE "C",
	"purge_after_ms" bigint,
	"props" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pipeline_template_keywords" (
	"template_id" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"is_shared" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"keyword" text COLLATE "C" NOT NULL,
	CONSTRAINT "pipeline_template_keywords_org_id_template_id_keyword_pk" PRIMARY KEY("org_id","template_id","keyword")
);
--> statement-breakpoint
CREATE TABLE "pipeline_template_labels" (
	"entity_id" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"is_shared" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	CONSTRAINT "pipeline_template_labels_org_id_entity_id_key_pk" PRIMARY KEY("org_id","entity_id","key")
);
--> statement-breakpoint
CREATE TABLE "pipeline_template_search" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"entity_id" text COLLATE "C" NOT NULL,
	"scope" text COLLATE "C" NOT NULL,
	"is_shared" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plugins" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"version_key" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C",
	"keywords" text NOT NULL,
	"category" text COLLATE "C" NOT NULL,
	"metadata" text NOT NULL,
	"plugin_type" text COLLATE "C" NOT NULL,
	"compute_type" text COLLATE "C" NOT NULL,
	"timeout" integer,
	"failure_behavior" text COLLATE "C" NOT NULL,
	"secrets" text NOT NULL,
	"primary_output_directory" text COLLATE "C",
	"env" text NOT NULL,
	"build_args" text NOT NULL,
	"install_commands" text NOT NULL,
	"commands" text NOT NULL,
	"dockerfile" text COLLATE "C",
	"base_image" text COLLATE "C",
	"uses_root_user" boolean,
	"build_type" text COLLATE "C" NOT NULL,
	"contract" text NOT NULL,
	"smoke_test" text COLLATE "C",
	"image_ref" text COLLATE "C",
	"image_digest" text COLLATE "C",
	"image_size_bytes" bigint,
	"built_image" text,
	"attestations" text,
	"build_status" text COLLATE "C" NOT NULL,
	"access_modifier" text COLLATE "C" NOT NULL,
	"is_default" boolean NOT NULL,
	"is_latest" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"wants_default" boolean NOT NULL,
	"owner_id" text COLLATE "C",
	"owner_type" text COLLATE "C",
	"lifecycle" text COLLATE "C" NOT NULL,
	"criticality" text COLLATE "C",
	"labels" text NOT NULL,
	"links" text NOT NULL,
	"archive_key" text COLLATE "C",
	"archive_bytes" bigint NOT NULL,
	"archive_sha256" text COLLATE "C",
	"revision" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"created_by" text COLLATE "C" NOT NULL,
	"updated_at_ms" bigint NOT NULL,
	"updated_by" text COLLATE "C" NOT NULL,
	"deleted_at_ms" bigint,
	"deleted_by" text COLLATE "C",
	"purge_after_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "plugin_keywords" (
	"entity_id" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"is_shared" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"keyword" text COLLATE "C" NOT NULL,
	CONSTRAINT "plugin_keywords_org_id_entity_id_keyword_pk" PRIMARY KEY("org_id","entity_id","keyword")
);
--> statement-breakpoint
CREATE TABLE "plugin_labels" (
	"entity_id" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"is_shared" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	CONSTRAINT "plugin_labels_org_id_entity_id_key_pk" PRIMARY KEY("org_id","entity_id","key")
);
--> statement-breakpoint
CREATE TABLE "plugin_search" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"entity_id" text COLLATE "C" NOT NULL,
	"scope" text COLLATE "C" NOT NULL,
	"is_shared" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "build_jobs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"plugin_id" text COLLATE "C" NOT NULL,
	"plugin_name" text COLLATE "C" NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"build_type" text COLLATE "C" NOT NULL,
	"archive_key" text COLLATE "C" NOT NULL,
	"tier" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"round" integer NOT NULL,
	"attempts" integer NOT NULL,
	"total_attempts" integer NOT NULL,
	"is_exhausted" boolean NOT NULL,
	"is_permanent" boolean NOT NULL,
	"run_at_ms" bigint NOT NULL,
	"started_at_ms" bigint,
	"lease_until_ms" bigint,
	"secrets_fence" integer NOT NULL,
	"secrets_given" text COLLATE "C",
	"fence" integer NOT NULL,
	"worker" text COLLATE "C",
	"holder" text COLLATE "C",
	"category" text COLLATE "C",
	"last_error" text COLLATE "C",
	"violations" text,
	"bases" text,
	"phase" text COLLATE "C",
	"log_end" bigint NOT NULL,
	"log_start" bigint NOT NULL,
	"log_bytes" bigint NOT NULL,
	"log_tail" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	"created_by" text COLLATE "C" NOT NULL,
	"failed_at_ms" bigint,
	"finished_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "build_logs" (
	"job_id" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"place" bigint NOT NULL,
	"chars" integer NOT NULL,
	"attempt" integer NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	CONSTRAINT "build_logs_job_id_place_pk" PRIMARY KEY("job_id","place")
);
--> statement-breakpoint
CREATE TABLE "build_turns" (
	"org_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"pass" bigint NOT NULL,
	"last_start" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "builders" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"seen_at_ms" bigint NOT NULL,
	"version" text COLLATE "C",
	"capabilities" text,
	"fault" text COLLATE "C",
	"fault_message" text COLLATE "C",
	"fault_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "registry_repositories" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"is_shared" boolean NOT NULL,
	"images" integer NOT NULL,
	"tags" integer NOT NULL,
	"bytes" bigint NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL,
	"reading" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registry_images" (
	"repository" text COLLATE "C" NOT NULL,
	"digest" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"media_type" text COLLATE "C" NOT NULL,
	"bytes" bigint NOT NULL,
	"children" text NOT NULL,
	"pushed_by" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "registry_images_repository_digest_pk" PRIMARY KEY("repository","digest")
);
--> statement-breakpoint
CREATE TABLE "registry_tags" (
	"repository" text COLLATE "C" NOT NULL,
	"tag" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"is_shared" boolean NOT NULL,
	"digest" text COLLATE "C" NOT NULL,
	"bytes" bigint NOT NULL,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "registry_tags_repository_tag_pk" PRIMARY KEY("repository","tag")
);
--> statement-breakpoint
CREATE TABLE "registry_blobs" (
	"repository" text COLLATE "C" NOT NULL,
	"image" text COLLATE "C" NOT NULL,
	"digest" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "registry_blobs_repository_image_digest_pk" PRIMARY KEY("repository","image","digest")
);
--> statement-breakpoint
CREATE TABLE "registry_events" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"seen_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registry_holds" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"holder" text COLLATE "C" NOT NULL,
	"until_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_alerts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"threshold_cents" bigint NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_alert_firings" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"alert_id" text COLLATE "C" NOT NULL,
	"period_start_ms" bigint NOT NULL,
	"cents" bigint NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_accounts" (
	"org_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"provider" text COLLATE "C" NOT NULL,
	"version" bigint NOT NULL,
	"clock_id" text COLLATE "C",
	"trial_used_at_ms" bigint,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_subscriptions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"plan_id" text COLLATE "C" NOT NULL,
	"interval" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"period_anchor_ms" bigint NOT NULL,
	"current_period_start_ms" bigint NOT NULL,
	"current_period_end_ms" bigint NOT NULL,
	"cancel_at_period_end" boolean NOT NULL,
	"canceled_at_ms" bigint,
	"addons" text NOT NULL,
	"recurring_discount" text,
	"failed_payment_attempts" integer NOT NULL,
	"counted_failures" text NOT NULL,
	"first_failed_at_ms" bigint,
	"grace_ends_at_ms" bigint,
	"grace_downgraded_at_ms" bigint,
	"reversal" text,
	"pending_change" text,
	"last_granted_period_start_ms" bigint,
	"told_through_ms" bigint,
	"begun_at_ms" bigint,
	"is_first" boolean NOT NULL,
	"balance_cents" bigint NOT NULL,
	"last_seq" bigint NOT NULL,
	"ledger_hash" text COLLATE "C" NOT NULL,
	"sealed_seq" bigint NOT NULL,
	"pending_rows" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_period_rolls" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"subscription_id" text COLLATE "C" NOT NULL,
	"period_start_ms" bigint NOT NULL,
	"invoice_id" text COLLATE "C",
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_credit_entries" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"subscription_id" text COLLATE "C" NOT NULL,
	"seq" bigint NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"source_id" text COLLATE "C" NOT NULL,
	"cents" bigint NOT NULL,
	"remaining_cents" bigint NOT NULL,
	"reversed_cents" bigint NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"dedupe_key" text COLLATE "C" NOT NULL,
	"granted_at_ms" bigint NOT NULL,
	"fulfillment_ref" text,
	"actor_id" text COLLATE "C",
	"details" text,
	"hash" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_events" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"subscription_id" text COLLATE "C",
	"type" text COLLATE "C" NOT NULL,
	"actor_id" text COLLATE "C",
	"details" text NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_invoices" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"subscription_id" text COLLATE "C" NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C" NOT NULL,
	"period_start_ms" bigint,
	"period_end_ms" bigint,
	"lines" text NOT NULL,
	"subtotal_cents" bigint NOT NULL,
	"credit_cents" bigint NOT NULL,
	"carried_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"total_cents" bigint NOT NULL,
	"amount_paid_cents" bigint NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_clocks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"now_ms" bigint NOT NULL,
	"fail_from_ms" bigint,
	"fail_until_ms" bigint,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_entitlement_drift" (
	"org_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"subscription_id" text COLLATE "C" NOT NULL,
	"differs" text NOT NULL,
	"is_repaired" boolean NOT NULL,
	"found_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_discounts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" bigint NOT NULL,
	"unit" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"campaign" text COLLATE "C",
	"alias" text COLLATE "C",
	"target_org_id" text COLLATE "C",
	"max_redemptions" integer,
	"times_redeemed" integer NOT NULL,
	"redeem_by_ms" bigint,
	"applies_to_tiers" text,
	"is_active" boolean NOT NULL,
	"sandbox" boolean NOT NULL,
	"created_by" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_redemptions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"discount_id" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"subscription_id" text COLLATE "C" NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_promotions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"campaign" text COLLATE "C",
	"trigger_type" text COLLATE "C" NOT NULL,
	"conditions" text NOT NULL,
	"value" bigint NOT NULL,
	"unit" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"referrer_value" bigint,
	"starts_at_ms" bigint,
	"ends_at_ms" bigint,
	"budget_cents" bigint NOT NULL,
	"spent_cents" bigint NOT NULL,
	"grants_count" bigint NOT NULL,
	"per_org_cap_cents" bigint,
	"max_grants" bigint,
	"is_active" boolean NOT NULL,
	"activated_at_ms" bigint,
	"failed_accounts" bigint NOT NULL,
	"sandbox" boolean NOT NULL,
	"created_by" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_promotion_closed" (
	"promotion_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"spent_cents" bigint NOT NULL,
	"grants_count" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_referrals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"promotion_id" text COLLATE "C" NOT NULL,
	"referrer_org_id" text COLLATE "C" NOT NULL,
	"referee_org_id" text COLLATE "C" NOT NULL,
	"referee_grant_cents" bigint NOT NULL,
	"referrer_grant_cents" bigint NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"paid_cents" bigint,
	"qualified_at_ms" bigint,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_provider_customers" (
	"org_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"provider" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C" NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_provider_links" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"provider" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C",
	"seen_at_ms" bigint NOT NULL,
	"is_ended" boolean NOT NULL,
	"cancel_unconfirmed" boolean NOT NULL,
	"is_period_held" boolean NOT NULL,
	"payment_url" text COLLATE "C",
	"paid_period_start_ms" bigint,
	"announced_period_start_ms" bigint,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_provider_calls" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"subscription_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"wish" text NOT NULL,
	"version" bigint NOT NULL,
	"idem_key" text COLLATE "C" NOT NULL,
	"key_number" integer NOT NULL,
	"client_key" text COLLATE "C",
	"state" text COLLATE "C" NOT NULL,
	"fence" integer NOT NULL,
	"lease_until_ms" bigint NOT NULL,
	"attempts" integer NOT NULL,
	"first_sent_at_ms" bigint,
	"next_at_ms" bigint NOT NULL,
	"answer" text,
	"actor_id" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_webhook_events" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"event_id" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"object_id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"effect" text COLLATE "C",
	"fence" integer NOT NULL,
	"lease_until_ms" bigint NOT NULL,
	"attempts" integer NOT NULL,
	"next_at_ms" bigint NOT NULL,
	"payload" text COLLATE "C",
	"sent_at_ms" bigint NOT NULL,
	"received_at_ms" bigint NOT NULL,
	"done_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "billing_provider_cursors" (
	"provider" text COLLATE "C" PRIMARY KEY NOT NULL,
	"events_until_ms" bigint NOT NULL,
	"compared_id" text COLLATE "C" NOT NULL,
	"drift" text NOT NULL,
	"finished_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_kept_invoices" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"customer_name" text COLLATE "C" NOT NULL,
	"subscription_id" text COLLATE "C" NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C" NOT NULL,
	"period_start_ms" bigint,
	"period_end_ms" bigint,
	"lines" text NOT NULL,
	"subtotal_cents" bigint NOT NULL,
	"credit_cents" bigint NOT NULL,
	"carried_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"total_cents" bigint NOT NULL,
	"amount_paid_cents" bigint NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"closed_at_ms" bigint NOT NULL,
	"kept_until_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_marketplace_customers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"subscription_id" text COLLATE "C",
	"product_code" text COLLATE "C" NOT NULL,
	"customer_key" text COLLATE "C" NOT NULL,
	"customer_identifier" text COLLATE "C",
	"license_arn" text COLLATE "C",
	"buyer_account" text COLLATE "C",
	"entitlements" text NOT NULL,
	"entitlements_at_ms" bigint NOT NULL,
	"notice_at_ms" bigint NOT NULL,
	"claim_hash" text COLLATE "C",
	"claim_expires_at_ms" bigint,
	"claimed_at_ms" bigint,
	"not_subscribed_at_ms" bigint,
	"metered_from_ms" bigint NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_metering_hours" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"subscription_id" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C" NOT NULL,
	"hour" text COLLATE "C" NOT NULL,
	"period_start_ms" bigint NOT NULL,
	"plan" text NOT NULL,
	"outstanding" text NOT NULL,
	"refused" text NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"attempts" integer NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"ended_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "billing_credit_holds" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"subscription_id" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"cents" bigint NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_retention" (
	"org_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"root_org_id" text COLLATE "C" NOT NULL,
	"event_days" integer NOT NULL,
	"fact_days" integer NOT NULL,
	"later_event_days" integer,
	"later_fact_days" integer,
	"later_from_ms" bigint,
	"watermark_ms" bigint NOT NULL,
	"updated_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_sources" (
	"org_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"format" text COLLATE "C" NOT NULL,
	"sealed_secret" text COLLATE "C" NOT NULL,
	"sealed_previous" text COLLATE "C",
	"previous_until_ms" bigint,
	"hint" text COLLATE "C" NOT NULL,
	"mapping" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"created_ms" bigint NOT NULL,
	"updated_ms" bigint NOT NULL,
	CONSTRAINT "report_sources_org_id_id_pk" PRIMARY KEY("org_id","id")
);
--> statement-breakpoint
CREATE TABLE "report_deliveries" (
	"org_id" text COLLATE "C" NOT NULL,
	"source_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"sender_id" text COLLATE "C",
	"received_ms" bigint NOT NULL,
	"inserted" integer NOT NULL,
	"duplicates" integer NOT NULL,
	"skipped" integer NOT NULL,
	"parked" integer NOT NULL,
	"commits" integer NOT NULL,
	"incidents" integer NOT NULL,
	"parked_refs" text NOT NULL,
	"note" text COLLATE "C",
	CONSTRAINT "report_deliveries_org_id_source_id_id_pk" PRIMARY KEY("org_id","source_id","id")
);
--> statement-breakpoint
CREATE TABLE "report_builds" (
	"org_id" text COLLATE "C" NOT NULL,
	"job_id" text COLLATE "C" NOT NULL,
	"plugin_id" text COLLATE "C" NOT NULL,
	"plugin_name" text COLLATE "C" NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"build_type" text COLLATE "C" NOT NULL,
	"is_succeeded" boolean NOT NULL,
	"category" text COLLATE "C",
	"error" text COLLATE "C",
	"attempts" integer NOT NULL,
	"duration_ms" bigint,
	"finished_ms" bigint NOT NULL,
	CONSTRAINT "report_builds_org_id_job_id_pk" PRIMARY KEY("org_id","job_id")
);
--> statement-breakpoint
CREATE TABLE "report_outcomes" (
	"org_id" text COLLATE "C" NOT NULL,
	"pipeline_id" text COLLATE "C" NOT NULL,
	"execution_id" text COLLATE "C" NOT NULL,
	"environment" text COLLATE "C" NOT NULL,
	"outcome" text COLLATE "C" NOT NULL,
	"at_ms" bigint NOT NULL,
	"note" text COLLATE "C",
	"marked_by" text COLLATE "C",
	"created_ms" bigint NOT NULL,
	CONSTRAINT "report_outcomes_org_id_pipeline_id_execution_id_environment_outcome_pk" PRIMARY KEY("org_id","pipeline_id","execution_id","environment","outcome")
);
--> statement-breakpoint
CREATE TABLE "report_incidents" (
	"org_id" text COLLATE "C" NOT NULL,
	"incident_id" text COLLATE "C" NOT NULL,
	"environment" text COLLATE "C" NOT NULL,
	"opened_ms" bigint NOT NULL,
	"resolved_ms" bigint,
	"reopened_ms" bigint,
	"severity" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C",
	"url" text COLLATE "C",
	"pipeline_id" text COLLATE "C",
	"sha" text COLLATE "C",
	"updated_ms" bigint NOT NULL,
	CONSTRAINT "report_incidents_org_id_incident_id_pk" PRIMARY KEY("org_id","incident_id")
);
--> statement-breakpoint
CREATE TABLE "report_links" (
	"org_id" text COLLATE "C" NOT NULL,
	"incident_id" text COLLATE "C" NOT NULL,
	"pipeline_id" text COLLATE "C" NOT NULL,
	"execution_id" text COLLATE "C" NOT NULL,
	"linked_by" text COLLATE "C",
	"linked_ms" bigint NOT NULL,
	CONSTRAINT "report_links_org_id_incident_id_pk" PRIMARY KEY("org_id","incident_id")
);
--> statement-breakpoint
CREATE TABLE "report_settings" (
	"org_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"settings" text NOT NULL,
	"updated_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_daily_runs" (
	"org_id" text COLLATE "C" NOT NULL,
	"pipeline_id" text COLLATE "C" NOT NULL,
	"part" text COLLATE "C" NOT NULL,
	"day_ms" bigint NOT NULL,
	"succeeded" integer NOT NULL,
	"failed" integer NOT NULL,
	"canceled" integer NOT NULL,
	"open" integer NOT NULL,
	"first_ms" bigint NOT NULL,
	"last_ms" bigint NOT NULL,
	"timed" integer NOT NULL,
	"sum_ms" bigint NOT NULL,
	"min_ms" bigint,
	"max_ms" bigint,
	"bins" text NOT NULL,
	CONSTRAINT "report_daily_runs_org_id_pipeline_id_part_day_ms_pk" PRIMARY KEY("org_id","pipeline_id","part","day_ms")
);
--> statement-breakpoint
CREATE TABLE "report_daily_deployments" (
	"org_id" text COLLATE "C" NOT NULL,
	"pipeline_id" text COLLATE "C" NOT NULL,
	"day_ms" bigint NOT NULL,
	"environment" text COLLATE "C" NOT NULL,
	"succeeded" integer NOT NULL,
	"failed" integer NOT NULL,
	"canceled" integer NOT NULL,
	"rework" integer NOT NULL,
	"undated" integer NOT NULL,
	"production" integer NOT NULL,
	"first_ms" bigint NOT NULL,
	"leads" integer NOT NULL,
	"lead_sum_ms" bigint NOT NULL,
	"repairs" integer NOT NULL,
	"repair_sum_ms" bigint NOT NULL,
	"lead_bins" text,
	"repair_bins" text,
	"repair_values" text,
	"lead_values" text,
	CONSTRAINT "report_daily_deployments_org_id_pipeline_id_day_ms_environment_pk" PRIMARY KEY("org_id","pipeline_id","day_ms","environment")
);
--> statement-breakpoint
CREATE TABLE "report_dirty" (
	"org_id" text COLLATE "C" NOT NULL,
	"day_ms" bigint NOT NULL,
	"pipeline_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "report_dirty_org_id_day_ms_pipeline_id_pk" PRIMARY KEY("org_id","day_ms","pipeline_id")
);
--> statement-breakpoint
CREATE TABLE "report_events" (
	"org_id" text COLLATE "C" NOT NULL,
	"pipeline_id" text COLLATE "C" NOT NULL,
	"execution_id" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"occurred_ms" bigint NOT NULL,
	"received_ms" bigint NOT NULL,
	"event" text NOT NULL,
	CONSTRAINT "report_events_org_id_pipeline_id_key_pk" PRIMARY KEY("org_id","pipeline_id","key")
);
--> statement-breakpoint
CREATE TABLE "report_executions" (
	"org_id" text COLLATE "C" NOT NULL,
	"pipeline_id" text COLLATE "C" NOT NULL,
	"execution_id" text COLLATE "C" NOT NULL,
	"attempt" integer NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"started_ms" bigint NOT NULL,
	"completed_ms" bigint,
	"duration_ms" bigint,
	"sha" text COLLATE "C",
	"ref" text COLLATE "C",
	"committed_ms" bigint,
	"error" text COLLATE "C",
	CONSTRAINT "report_executions_org_id_pipeline_id_execution_id_pk" PRIMARY KEY("org_id","pipeline_id","execution_id")
);
--> statement-breakpoint
CREATE TABLE "report_steps" (
	"org_id" text COLLATE "C" NOT NULL,
	"pipeline_id" text COLLATE "C" NOT NULL,
	"execution_id" text COLLATE "C" NOT NULL,
	"attempt" integer NOT NULL,
	"stage" text COLLATE "C" NOT NULL,
	"action" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"started_ms" bigint NOT NULL,
	"duration_ms" bigint,
	"error" text COLLATE "C",
	"fold" text NOT NULL,
	CONSTRAINT "report_steps_org_id_pipeline_id_execution_id_attempt_stage_action_pk" PRIMARY KEY("org_id","pipeline_id","execution_id","attempt","stage","action")
);
--> statement-breakpoint
CREATE TABLE "report_swept_runs" (
	"org_id" text COLLATE "C" NOT NULL,
	"pipeline_id" text COLLATE "C" NOT NULL,
	"execution_id" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"started_ms" bigint NOT NULL,
	"duration_ms" bigint,
	"steps" text NOT NULL,
	CONSTRAINT "report_swept_runs_org_id_pipeline_id_execution_id_pk" PRIMARY KEY("org_id","pipeline_id","execution_id")
);
--> statement-breakpoint
CREATE TABLE "report_deployments" (
	"org_id" text COLLATE "C" NOT NULL,
	"pipeline_id" text COLLATE "C" NOT NULL,
	"execution_id" text COLLATE "C" NOT NULL,
	"attempt" integer NOT NULL,
	"environment" text COLLATE "C" NOT NULL,
	"tier" text COLLATE "C",
	"status" text COLLATE "C" NOT NULL,
	"started_ms" bigint NOT NULL,
	"completed_ms" bigint,
	"sha" text COLLATE "C",
	"ref" text COLLATE "C",
	"committed_ms" bigint,
	"is_rollback" boolean NOT NULL,
	"is_rework" boolean NOT NULL,
	CONSTRAINT "report_deployments_org_id_pipeline_id_execution_id_attempt_environment_pk" PRIMARY KEY("org_id","pipeline_id","execution_id","attempt","environment")
);
--> statement-breakpoint
CREATE TABLE "report_commits" (
	"org_id" text COLLATE "C" NOT NULL,
	"sha" text COLLATE "C" NOT NULL,
	"committed_ms" bigint NOT NULL,
	CONSTRAINT "report_commits_org_id_sha_pk" PRIMARY KEY("org_id","sha")
);
--> statement-breakpoint
CREATE TABLE "report_parked" (
	"org_id" text COLLATE "C" NOT NULL,
	"pipeline_ref" text COLLATE "C" NOT NULL,
	"source_id" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"received_ms" bigint NOT NULL,
	"event" text NOT NULL,
	CONSTRAINT "report_parked_org_id_pipeline_ref_source_id_key_hash_pk" PRIMARY KEY("org_id","pipeline_ref","source_id","key","hash")
);
--> statement-breakpoint
CREATE TABLE "report_skips" (
	"org_id" text COLLATE "C" NOT NULL,
	"day_ms" bigint NOT NULL,
	"reason" text COLLATE "C" NOT NULL,
	"items" bigint NOT NULL,
	CONSTRAINT "report_skips_org_id_day_ms_reason_pk" PRIMARY KEY("org_id","day_ms","reason")
);
--> statement-breakpoint
CREATE TABLE "report_health" (
	"org_id" text COLLATE "C" NOT NULL,
	"client" text COLLATE "C" NOT NULL,
	"instance" text COLLATE "C" NOT NULL,
	"forwarded" bigint NOT NULL,
	"dropped" bigint NOT NULL,
	"forwarded_before" bigint NOT NULL,
	"dropped_before" bigint NOT NULL,
	"restarts" integer NOT NULL,
	"last_event_ms" bigint,
	"last_dropped_ms" bigint,
	"updated_ms" bigint NOT NULL,
	CONSTRAINT "report_health_org_id_client_instance_pk" PRIMARY KEY("org_id","client","instance")
);
--> statement-breakpoint
CREATE TABLE "ai_keys" (
	"org_id" text COLLATE "C" NOT NULL,
	"provider" text COLLATE "C" NOT NULL,
	"sealed" text COLLATE "C" NOT NULL,
	"hint" text COLLATE "C" NOT NULL,
	"updated_by" text COLLATE "C" NOT NULL,
	"updated_at_ms" bigint NOT NULL,
	CONSTRAINT "ai_keys_org_id_provider_pk" PRIMARY KEY("org_id","provider")
);
--> statement-breakpoint
CREATE TABLE "ai_settings" (
	"org_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"monthly_tokens" bigint,
	"monthly_micro_usd" bigint,
	"previews" boolean NOT NULL,
	"share_rules" boolean NOT NULL,
	"keep_prompts" boolean NOT NULL,
	"revision" integer NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_spend" (
	"org_id" text COLLATE "C" NOT NULL,
	"month" text COLLATE "C" NOT NULL,
	"held_tokens" bigint NOT NULL,
	"spent_tokens" bigint NOT NULL,
	"held_micro_usd" bigint NOT NULL,
	"spent_micro_usd" bigint NOT NULL,
	CONSTRAINT "ai_spend_org_id_month_pk" PRIMARY KEY("org_id","month")
);
--> statement-breakpoint
CREATE TABLE "ai_generations" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"root_org_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C",
	"kind" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"lease_until_ms" bigint NOT NULL,
	"provider" text COLLATE "C" NOT NULL,
	"model" text COLLATE "C" NOT NULL,
	"key_source" text COLLATE "C" NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"cost_micro_usd" bigint NOT NULL,
	"held_tokens" bigint NOT NULL,
	"held_micro_usd" bigint NOT NULL,
	"held_month" text COLLATE "C",
	"rounds" integer NOT NULL,
	"verdict" text COLLATE "C",
	"error_code" text COLLATE "C",
	"prompt_hash" text COLLATE "C" NOT NULL,
	"prompt" text COLLATE "C",
	"result" text,
	"created_at_ms" bigint NOT NULL,
	"finished_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "identity_providers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"is_default" boolean NOT NULL,
	"issuer" text COLLATE "C" NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"sealed_secret" text COLLATE "C",
	"alg" text COLLATE "C" NOT NULL,
	"scopes" text NOT NULL,
	"groups_claim" text COLLATE "C",
	"enabled" boolean NOT NULL,
	"jit" boolean NOT NULL,
	"trust_email" boolean NOT NULL,
	"amr" text NOT NULL,
	"session_hours" integer NOT NULL,
	"default_role_ids" text NOT NULL,
	"revision" integer NOT NULL,
	"groups_revision" integer NOT NULL,
	"tested_by" text COLLATE "C",
	"tested_at_ms" bigint,
	"tested_revision" integer,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idp_domains" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"domain" text COLLATE "C" NOT NULL,
	"held_domain" text COLLATE "C",
	"token" text COLLATE "C" NOT NULL,
	"verified_at_ms" bigint,
	"checked_at_ms" bigint,
	"missing_since_ms" bigint,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity_links" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"provider_id" text COLLATE "C" NOT NULL,
	"issuer" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"last_used_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth_flows" (
	"state_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"provider_id" text COLLATE "C" NOT NULL,
	"revision" integer NOT NULL,
	"nonce" text COLLATE "C" NOT NULL,
	"sealed_verifier" text COLLATE "C" NOT NULL,
	"browser_hash" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C",
	"session_id" text COLLATE "C",
	"action" text COLLATE "C",
	"return_to" text COLLATE "C" NOT NULL,
	"loopback" text COLLATE "C",
	"challenge" text COLLATE "C",
	"created_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth_grants" (
	"token_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C" NOT NULL,
	"provider_id" text COLLATE "C" NOT NULL,
	"revision" integer NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"issuer" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"sid" text COLLATE "C",
	"groups" text,
	"bound_hash" text COLLATE "C" NOT NULL,
	"return_to" text COLLATE "C" NOT NULL,
	"expires_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "social_flows" (
	"state_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"provider" text COLLATE "C" NOT NULL,
	"nonce" text COLLATE "C" NOT NULL,
	"sealed_verifier" text COLLATE "C" NOT NULL,
	"bound_hash" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C",
	"session_id" text COLLATE "C",
	"action" text COLLATE "C",
	"sealed_invitation" text COLLATE "C",
	"return_to" text COLLATE "C" NOT NULL,
	"loopback" text COLLATE "C",
	"challenge" text COLLATE "C",
	"expires_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "logout_tokens" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"expires_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "idempotency_keys_expiry" ON "idempotency_keys" USING btree ("expires_at_ms");
--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("state","run_at_ms");
--> statement-breakpoint
CREATE INDEX "jobs_turn" ON "jobs" USING btree ("state","kind","lane","run_at_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_unique_key" ON "jobs" USING btree ("kind","unique_key");
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_outbox_id" ON "audit_outbox" USING btree ("id");
--> statement-breakpoint
CREATE UNIQUE INDEX "organizations_slug" ON "organizations" USING btree ("slug");
--> statement-breakpoint
CREATE INDEX "organizations_by_name" ON "organizations" USING btree ("name_key","id");
--> statement-breakpoint
CREATE INDEX "organizations_parent" ON "organizations" USING btree ("parent_org_id");
--> statement-breakpoint
CREATE INDEX "organizations_root" ON "organizations" USING btree ("root_org_id");
--> statement-breakpoint
CREATE INDEX "organizations_owner" ON "organizations" USING btree ("owner_id");
--> statement-breakpoint
CREATE INDEX "organizations_purge" ON "organizations" USING btree ("purge_after_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_key" ON "users" USING btree ("username_key");
--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree ("email_key");
--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_org_user" ON "memberships" USING btree ("org_id","user_id");
--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "roles_org_name" ON "roles" USING btree ("org_id","name_key");
--> statement-breakpoint
CREATE UNIQUE INDEX "role_assignments_role_user" ON "role_assignments" USING btree ("role_id","user_id","source");
--> statement-breakpoint
CREATE INDEX "role_assignments_org_user" ON "role_assignments" USING btree ("org_id","user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_roles_user" ON "compliance_roles" USING btree ("org_id","user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token" ON "invitations" USING btree ("token_hash");
--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_live" ON "invitations" USING btree ("org_id","live_key");
--> statement-breakpoint
CREATE INDEX "invitations_status" ON "invitations" USING btree ("status","expires_at_ms");
--> statement-breakpoint
CREATE INDEX "invitations_pending" ON "invitations" USING btree ("org_id","status","expires_at_ms");
--> statement-breakpoint
CREATE INDEX "invitations_org_created" ON "invitations" USING btree ("org_id","created_at_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "service_principals_client" ON "service_principals" USING btree ("client_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "service_principals_name" ON "service_principals" USING btree ("name_key");
--> statement-breakpoint
CREATE INDEX "service_principals_org" ON "service_principals" USING btree ("org_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "org_secrets_org_name" ON "org_secrets" USING btree ("org_id","name");
--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_refresh" ON "sessions" USING btree ("refresh_hash");
--> statement-breakpoint
CREATE INDEX "sessions_prev" ON "sessions" USING btree ("prev_hash");
--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_cookie" ON "sessions" USING btree ("cookie_hash");
--> statement-breakpoint
CREATE INDEX "sessions_prev_cookie" ON "sessions" USING btree ("prev_cookie_hash");
--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at_ms");
--> statement-breakpoint
CREATE INDEX "sessions_provider" ON "sessions" USING btree ("provider_id","provider_subject");
--> statement-breakpoint
CREATE INDEX "session_proofs_org" ON "session_proofs" USING btree ("org_id");
--> statement-breakpoint
CREATE INDEX "session_proofs_provider" ON "session_proofs" USING btree ("provider_id","provider_subject");
--> statement-breakpoint
CREATE INDEX "spent_refresh_tokens_session" ON "spent_refresh_tokens" USING btree ("session_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "personal_access_tokens_hash" ON "personal_access_tokens" USING btree ("token_hash");
--> statement-breakpoint
CREATE INDEX "personal_access_tokens_user" ON "personal_access_tokens" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "personal_access_tokens_org" ON "personal_access_tokens" USING btree ("org_id","user_id");
--> statement-breakpoint
CREATE INDEX "one_time_tokens_user" ON "one_time_tokens" USING btree ("user_id","kind");
--> statement-breakpoint
CREATE INDEX "one_time_tokens_expiry" ON "one_time_tokens" USING btree ("expires_at_ms");
--> statement-breakpoint
CREATE INDEX "lockouts_age" ON "lockouts" USING btree ("last_failure_at_ms");
--> statement-breakpoint
CREATE INDEX "known_networks_user" ON "known_networks" USING btree ("user_id","last_used_at_ms");
--> statement-breakpoint
CREATE INDEX "known_networks_age" ON "known_networks" USING btree ("last_used_at_ms");
--> statement-breakpoint
CREATE INDEX "mail_pauses_age" ON "mail_pauses" USING btree ("sent_at_ms");
--> statement-breakpoint
CREATE INDEX "used_token_ids_expiry" ON "used_token_ids" USING btree ("expires_at_ms");
--> statement-breakpoint
CREATE INDEX "recovery_codes_user" ON "recovery_codes" USING btree ("user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "social_links_subject" ON "social_links" USING btree ("provider","issuer","subject");
--> statement-breakpoint
CREATE UNIQUE INDEX "social_links_user" ON "social_links" USING btree ("user_id","provider");
--> statement-breakpoint
CREATE UNIQUE INDEX "idp_groups_name" ON "idp_groups" USING btree ("provider_id","name");
--> statement-breakpoint
CREATE UNIQUE INDEX "idp_groups_external" ON "idp_groups" USING btree ("provider_id","external_id");
--> statement-breakpoint
CREATE INDEX "idp_groups_key" ON "idp_groups" USING btree ("provider_id","name_key");
--> statement-breakpoint
CREATE INDEX "idp_groups_org" ON "idp_groups" USING btree ("org_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "idp_group_members_pair" ON "idp_group_members" USING btree ("group_id","user_id");
--> statement-breakpoint
CREATE INDEX "idp_group_members_user" ON "idp_group_members" USING btree ("org_id","user_id");
--> statement-breakpoint
CREATE INDEX "idp_group_members_org" ON "idp_group_members" USING btree ("org_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "group_roles_pair" ON "group_roles" USING btree ("group_id","role_id");
--> statement-breakpoint
CREATE INDEX "group_roles_role" ON "group_roles" USING btree ("org_id","role_id");
--> statement-breakpoint
CREATE INDEX "group_roles_org" ON "group_roles" USING btree ("org_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "scim_tokens_hash" ON "scim_tokens" USING btree ("token_hash");
--> statement-breakpoint
CREATE INDEX "scim_tokens_org" ON "scim_tokens" USING btree ("org_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "scim_users_person" ON "scim_users" USING btree ("org_id","user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "scim_users_name" ON "scim_users" USING btree ("org_id","user_name_key");
--> statement-breakpoint
CREATE UNIQUE INDEX "scim_users_external" ON "scim_users" USING btree ("org_id","external_id");
--> statement-breakpoint
CREATE INDEX "scim_users_email" ON "scim_users" USING btree ("org_id","email_key");
--> statement-breakpoint
CREATE INDEX "scim_users_org" ON "scim_users" USING btree ("org_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_events_id" ON "audit_events" USING btree ("id");
--> statement-breakpoint
CREATE INDEX "audit_events_affected" ON "audit_events" USING btree ("affected_org_id","created_at");
--> statement-breakpoint
CREATE INDEX "audit_events_org" ON "audit_events" USING btree ("org_id","created_at") WHERE ("audit_events"."affected_org_id" <> "audit_events"."org_id" OR "audit_events"."affected_org_id" IS NULL);
--> statement-breakpoint
CREATE INDEX "audit_events_actor" ON "audit_events" USING btree ("actor_id");
--> statement-breakpoint
CREATE INDEX "audit_events_created" ON "audit_events" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "audit_ingest_keys_age" ON "audit_ingest_keys" USING btree ("created_at_ms");
--> statement-breakpoint
CREATE INDEX "quota_pools_period" ON "quota_pools" USING btree ("type","period_start_ms");
--> statement-breakpoint
CREATE INDEX "quota_notices_created" ON "quota_notices" USING btree ("created_at_ms");
--> statement-breakpoint
CREATE INDEX "quota_increments_created" ON "quota_increments" USING btree ("created_at_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_scans_plugin" ON "compliance_scans" USING btree ("org_id","plugin_slot");
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_scans_pipeline" ON "compliance_scans" USING btree ("org_id","pipeline_slot");
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_scans_slot" ON "compliance_scans" USING btree ("org_id","slot_key");
--> statement-breakpoint
CREATE INDEX "compliance_scans_created" ON "compliance_scans" USING btree ("org_id","created_at_ms");
--> statement-breakpoint
CREATE INDEX "compliance_scans_state" ON "compliance_scans" USING btree ("status","heartbeat_at_ms");
--> statement-breakpoint
CREATE INDEX "compliance_scans_age" ON "compliance_scans" USING btree ("created_at_ms");
--> statement-breakpoint
CREATE INDEX "compliance_scan_schedules_created" ON "compliance_scan_schedules" USING btree ("org_id","created_at_ms");
--> statement-breakpoint
CREATE INDEX "compliance_scan_schedules_due" ON "compliance_scan_schedules" USING btree ("next_run_at_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_rules_name" ON "compliance_rules" USING btree ("org_id","live_name");
--> statement-breakpoint
CREATE INDEX "compliance_rules_created" ON "compliance_rules" USING btree ("org_id","created_at_ms");
--> statement-breakpoint
CREATE INDEX "compliance_rules_by_name" ON "compliance_rules" USING btree ("org_id","name_key","id");
--> statement-breakpoint
CREATE INDEX "compliance_rules_scope" ON "compliance_rules" USING btree ("org_id","scope","is_active","deleted_at_ms","priority" desc,"name_key","id" desc,"target","severity");
--> statement-breakpoint
CREATE INDEX "compliance_rules_purge" ON "compliance_rules" USING btree ("purge_after_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_rule_versions_rule" ON "compliance_rule_versions" USING btree ("rule_id","version");
--> statement-breakpoint
CREATE INDEX "compliance_rule_versions_org" ON "compliance_rule_versions" USING btree ("org_id","valid_from_ms");
--> statement-breakpoint
CREATE INDEX "compliance_rule_history_rule" ON "compliance_rule_history" USING btree ("org_id","rule_id","changed_at_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_subscriptions_rule" ON "compliance_subscriptions" USING btree ("org_id","rule_id");
--> statement-breakpoint
CREATE INDEX "compliance_subscriptions_active" ON "compliance_subscriptions" USING btree ("org_id","is_active");
--> statement-breakpoint
CREATE INDEX "compliance_subscriptions_of_rule" ON "compliance_subscriptions" USING btree ("rule_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_policies_name" ON "compliance_policies" USING btree ("org_id","live_key");
--> statement-breakpoint
CREATE INDEX "compliance_policies_created" ON "compliance_policies" USING btree ("org_id","created_at_ms");
--> statement-breakpoint
CREATE INDEX "compliance_policies_by_name" ON "compliance_policies" USING btree ("org_id","name_key","id");
--> statement-breakpoint
CREATE INDEX "compliance_policies_purge" ON "compliance_policies" USING btree ("purge_after_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_policy_rules_member" ON "compliance_policy_rules" USING btree ("policy_id","rule_id");
--> statement-breakpoint
CREATE INDEX "compliance_policy_rules_org" ON "compliance_policy_rules" USING btree ("org_id","rule_id");
--> statement-breakpoint
CREATE INDEX "compliance_subscription_intervals_org" ON "compliance_subscription_intervals" USING btree ("org_id","valid_from_ms");
--> statement-breakpoint
CREATE INDEX "compliance_subscription_intervals_rule" ON "compliance_subscription_intervals" USING btree ("rule_id","org_id","valid_to_ms");
--> statement-breakpoint
CREATE INDEX "compliance_policy_rule_intervals_org" ON "compliance_policy_rule_intervals" USING btree ("org_id","valid_from_ms");
--> statement-breakpoint
CREATE INDEX "compliance_policy_rule_intervals_policy" ON "compliance_policy_rule_intervals" USING btree ("policy_id","valid_to_ms");
--> statement-breakpoint
CREATE INDEX "compliance_policy_rule_intervals_rule" ON "compliance_policy_rule_intervals" USING btree ("rule_id","valid_to_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_exemptions_open" ON "compliance_exemptions" USING btree ("org_id","open_key");
--> statement-breakpoint
CREATE INDEX "compliance_exemptions_created" ON "compliance_exemptions" USING btree ("org_id","created_at_ms");
--> statement-breakpoint
CREATE INDEX "compliance_exemptions_entity" ON "compliance_exemptions" USING btree ("org_id","entity_id");
--> statement-breakpoint
CREATE INDEX "compliance_exemptions_key" ON "compliance_exemptions" USING btree ("org_id","entity_key_text");
--> statement-breakpoint
CREATE INDEX "compliance_exemptions_review" ON "compliance_exemptions" USING btree ("review_org_id","org_id");
--> statement-breakpoint
CREATE INDEX "compliance_exemptions_rule" ON "compliance_exemptions" USING btree ("rule_id");
--> statement-breakpoint
CREATE INDEX "compliance_exemptions_end" ON "compliance_exemptions" USING btree ("expires_at_ms");
--> statement-breakpoint
CREATE INDEX "compliance_checks_created" ON "compliance_checks" USING btree ("org_id","created_at_ms","id");
--> statement-breakpoint
CREATE INDEX "compliance_checks_entity" ON "compliance_checks" USING btree ("org_id","entity_id","created_at_ms","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_checks_scan" ON "compliance_checks" USING btree ("org_id","scan_id","target","entity_id") WHERE scan_id IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_checks_event" ON "compliance_checks" USING btree ("org_id","event_id") WHERE event_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "compliance_checks_age" ON "compliance_checks" USING btree ("created_at_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_check_seals_ordinal" ON "compliance_check_seals" USING btree ("org_id","ordinal");
--> statement-breakpoint
CREATE INDEX "compliance_check_seals_through" ON "compliance_check_seals" USING btree ("org_id","through_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_entity_states_entity" ON "compliance_entity_states" USING btree ("org_id","target","entity_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "compliance_findings_entity" ON "compliance_findings" USING btree ("org_id","target","entity_id","rule_id");
--> statement-breakpoint
CREATE INDEX "compliance_findings_seen" ON "compliance_findings" USING btree ("org_id","last_seen_at_ms","id");
--> statement-breakpoint
CREATE INDEX "compliance_findings_severity" ON "compliance_findings" USING btree ("org_id","severity_rank","id");
--> statement-breakpoint
CREATE INDEX "compliance_findings_rule" ON "compliance_findings" USING btree ("org_id","rule_id","fixed_at_ms","id");
--> statement-breakpoint
CREATE INDEX "compliance_findings_all" ON "compliance_findings" USING btree ("org_id","id");
--> statement-breakpoint
CREATE INDEX "compliance_findings_names" ON "compliance_findings" USING btree ("org_id","entity_name_key","target","entity_id");
--> statement-breakpoint
CREATE INDEX "compliance_check_days_org" ON "compliance_check_days" USING btree ("org_id","day_ms");
--> statement-breakpoint
CREATE INDEX "compliance_check_days_all" ON "compliance_check_days" USING btree ("org_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_once" ON "notifications" USING btree ("org_id","once_key");
--> statement-breakpoint
CREATE INDEX "notifications_check" ON "notifications" USING btree ("org_id","related_check_id");
--> statement-breakpoint
CREATE INDEX "notifications_age" ON "notifications" USING btree ("created_at_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "notification_deliveries_channel" ON "notification_deliveries" USING btree ("notification_id","channel");
--> statement-breakpoint
CREATE INDEX "notification_deliveries_state" ON "notification_deliveries" USING btree ("org_id","channel","state","id");
--> statement-breakpoint
CREATE INDEX "notification_deliveries_parked" ON "notification_deliveries" USING btree ("channel","state","org_id");
--> statement-breakpoint
CREATE INDEX "notification_deliveries_age" ON "notification_deliveries" USING btree ("updated_at_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "notification_log_attempt" ON "notification_log" USING btree ("delivery_id","attempt");
--> statement-breakpoint
CREATE INDEX "notification_log_created" ON "notification_log" USING btree ("org_id","created_at_ms","id");
--> statement-breakpoint
CREATE INDEX "messages_sent" ON "messages" USING btree ("thread_org_id","is_root","activity_at_ms");
--> statement-breakpoint
CREATE INDEX "messages_received" ON "messages" USING btree ("thread_recipient_org_id","is_root","activity_at_ms");
--> statement-breakpoint
CREATE INDEX "messages_thread" ON "messages" USING btree ("root_id","created_at_ms");
--> statement-breakpoint
CREATE INDEX "messages_org" ON "messages" USING btree ("org_id","id");
--> statement-breakpoint
CREATE INDEX "messages_recipient" ON "messages" USING btree ("recipient_org_id","id");
--> statement-breakpoint
CREATE INDEX "messages_announcement" ON "messages" USING btree ("org_id","announcement_id");
--> statement-breakpoint
CREATE INDEX "messages_author" ON "messages" USING btree ("created_by","org_id");
--> statement-breakpoint
CREATE INDEX "messages_purge" ON "messages" USING btree ("purge_after_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "message_search_entity" ON "message_search" USING btree ("entity_id");
--> statement-breakpoint
CREATE INDEX "message_search_root" ON "message_search" USING btree ("root_id");
--> statement-breakpoint
CREATE INDEX "message_search_org" ON "message_search" USING btree ("org_id");
--> statement-breakpoint
CREATE INDEX "message_search_sent" ON "message_search" USING btree ("thread_org_id","position");
--> statement-breakpoint
CREATE INDEX "message_search_received" ON "message_search" USING btree ("thread_recipient_org_id","position");
--> statement-breakpoint
CREATE INDEX "message_reads_message" ON "message_reads" USING btree ("message_id");
--> statement-breakpoint
CREATE INDEX "message_reads_user" ON "message_reads" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "message_attachments_message" ON "message_attachments" USING btree ("message_id","position");
--> statement-breakpoint
CREATE INDEX "message_attachments_org" ON "message_attachments" USING btree ("org_id","created_at_ms","id");
--> statement-breakpoint
CREATE INDEX "message_attachments_uploader" ON "message_attachments" USING btree ("uploaded_by");
--> statement-breakpoint
CREATE INDEX "message_attachments_pending" ON "message_attachments" USING btree ("created_at_ms");
--> statement-breakpoint
CREATE INDEX "message_events_sent" ON "message_events" USING btree ("org_id","position");
--> statement-breakpoint
CREATE INDEX "message_events_received" ON "message_events" USING btree ("recipient_org_id","position");
--> statement-breakpoint
CREATE INDEX "message_events_age" ON "message_events" USING btree ("created_at_ms");
--> statement-breakpoint
CREATE INDEX "message_events_user" ON "message_events" USING btree ("user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "pipelines_key" ON "pipelines" USING btree ("org_id","project_key","organization_key");
--> statement-breakpoint
CREATE UNIQUE INDEX "pipelines_default" ON "pipelines" USING btree ("org_id","default_key");
--> statement-breakpoint
CREATE INDEX "pipelines_all" ON "pipelines" USING btree ("org_id","id");
--> statement-breakpoint
CREATE INDEX "pipelines_created" ON "pipelines" USING btree ("org_id","created_at_ms","id","is_active","deleted_at_ms","updated_at_ms","default_key");
--> statement-breakpoint
CREATE INDEX "pipelines_defaults" ON "pipelines" USING btree ("org_id","created_at_ms","id","is_active","deleted_at_ms") WHERE default_key IS NOT NULL AND deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_updated" ON "pipelines" USING btree ("org_id","updated_at_ms","id","is_active") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_active" ON "pipelines" USING btree ("org_id","is_active","created_at_ms","id","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_access" ON "pipelines" USING btree ("org_id","access_modifier","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_project" ON "pipelines" USING btree ("org_id","project_key","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_organization" ON "pipelines" USING btree ("org_id","organization_key","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_name" ON "pipelines" USING btree ("org_id","name_key","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_owner" ON "pipelines" USING btree ("org_id","owner_id","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_lifecycle" ON "pipelines" USING btree ("org_id","lifecycle","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_criticality" ON "pipelines" USING btree ("org_id","criticality","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_template" ON "pipelines" USING btree ("org_id","template_id","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_by_project" ON "pipelines" USING btree ("org_id","project_key","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_by_organization" ON "pipelines" USING btree ("org_id","organization_key","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_by_name" ON "pipelines" USING btree ("org_id","name_key","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_by_lifecycle" ON "pipelines" USING btree ("org_id","lifecycle","id","is_active") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_deleted" ON "pipelines" USING btree ("org_id","updated_at_ms","id") WHERE deleted_at_ms IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "pipelines_purge" ON "pipelines" USING btree ("purge_after_ms");
--> statement-breakpoint
CREATE INDEX "pipeline_plugins_name" ON "pipeline_plugins" USING btree ("org_id","name","is_first","created_at_ms","pipeline_id","is_active","is_shared");
--> statement-breakpoint
CREATE INDEX "pipeline_keywords_keyword" ON "pipeline_keywords" USING btree ("org_id","keyword","created_at_ms","pipeline_id","is_active","is_shared");
--> statement-breakpoint
CREATE INDEX "pipeline_labels_value" ON "pipeline_labels" USING btree ("org_id","key","value","created_at_ms","entity_id","is_active","is_shared");
--> statement-breakpoint
CREATE UNIQUE INDEX "pipeline_search_entity" ON "pipeline_search" USING btree ("org_id","entity_id");
--> statement-breakpoint
CREATE INDEX "pipeline_search_newest" ON "pipeline_search" USING btree ("org_id","position");
--> statement-breakpoint
CREATE INDEX "pipeline_revisions_org" ON "pipeline_revisions" USING btree ("org_id","pipeline_id","revision");
--> statement-breakpoint
CREATE INDEX "pipeline_registry_all" ON "pipeline_registry" USING btree ("org_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "pipeline_registry_pipeline" ON "pipeline_registry" USING btree ("pipeline_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "pipeline_registry_resource" ON "pipeline_registry" USING btree ("org_id","resource_hash");
--> statement-breakpoint
CREATE INDEX "pipeline_registry_deployed" ON "pipeline_registry" USING btree ("org_id","last_deployed_ms","id");
--> statement-breakpoint
CREATE INDEX "pipeline_registry_by_name" ON "pipeline_registry" USING btree ("org_id","name_key","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "pipeline_templates_name" ON "pipeline_templates" USING btree ("org_id","live_key");
--> statement-breakpoint
CREATE INDEX "pipeline_templates_created" ON "pipeline_templates" USING btree ("org_id","created_at_ms","id","is_active","deleted_at_ms");
--> statement-breakpoint
CREATE INDEX "pipeline_templates_updated" ON "pipeline_templates" USING btree ("org_id","updated_at_ms","id","is_active") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipeline_templates_by_name" ON "pipeline_templates" USING btree ("org_id","name_key","id","is_active") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipeline_templates_category" ON "pipeline_templates" USING btree ("org_id","category","created_at_ms","id","is_active") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipeline_templates_access" ON "pipeline_templates" USING btree ("org_id","access_modifier","created_at_ms","id","is_active") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipeline_templates_owner" ON "pipeline_templates" USING btree ("org_id","owner_id","created_at_ms","id","is_active") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipeline_templates_lifecycle" ON "pipeline_templates" USING btree ("org_id","lifecycle","created_at_ms","id","is_active") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipeline_templates_criticality" ON "pipeline_templates" USING btree ("org_id","criticality","created_at_ms","id","is_active") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipeline_templates_active" ON "pipeline_templates" USING btree ("org_id","is_active","created_at_ms","id") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "pipeline_templates_deleted" ON "pipeline_templates" USING btree ("org_id","updated_at_ms","id") WHERE deleted_at_ms IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "pipeline_templates_purge" ON "pipeline_templates" USING btree ("purge_after_ms");
--> statement-breakpoint
CREATE INDEX "pipeline_template_keywords_keyword" ON "pipeline_template_keywords" USING btree ("org_id","keyword","created_at_ms","template_id","is_active","is_shared");
--> statement-breakpoint
CREATE INDEX "pipeline_template_labels_value" ON "pipeline_template_labels" USING btree ("org_id","key","value","created_at_ms","entity_id","is_active","is_shared");
--> statement-breakpoint
CREATE UNIQUE INDEX "pipeline_template_search_entity" ON "pipeline_template_search" USING btree ("org_id","entity_id");
--> statement-breakpoint
CREATE INDEX "pipeline_template_search_newest" ON "pipeline_template_search" USING btree ("org_id","position");
--> statement-breakpoint
CREATE UNIQUE INDEX "plugins_live_version" ON "plugins" USING btree ("org_id","name","version") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "plugins_default" ON "plugins" USING btree ("org_id","name") WHERE is_default AND deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_all" ON "plugins" USING btree ("org_id","id");
--> statement-breakpoint
CREATE INDEX "plugins_newest" ON "plugins" USING btree ("org_id","created_at_ms","id","is_active","version_key") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_changed" ON "plugins" USING btree ("org_id","updated_at_ms","id") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_name" ON "plugins" USING btree ("org_id","name","version_key","is_active","deleted_at_ms");
--> statement-breakpoint
CREATE INDEX "plugins_by_category" ON "plugins" USING btree ("org_id","category","id") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_version" ON "plugins" USING btree ("org_id","version_key","id") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_owner" ON "plugins" USING btree ("org_id","owner_id","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_exact_version" ON "plugins" USING btree ("org_id","version","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_type" ON "plugins" USING btree ("org_id","plugin_type","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_compute" ON "plugins" USING btree ("org_id","compute_type","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_category" ON "plugins" USING btree ("org_id","category","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_build_type" ON "plugins" USING btree ("org_id","build_type","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_build_status" ON "plugins" USING btree ("org_id","build_status","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_access" ON "plugins" USING btree ("org_id","access_modifier","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_lifecycle" ON "plugins" USING btree ("org_id","lifecycle","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_criticality" ON "plugins" USING btree ("org_id","criticality","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_is_default" ON "plugins" USING btree ("org_id","is_default","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_is_latest" ON "plugins" USING btree ("org_id","is_latest","created_at_ms","id","is_active","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_active" ON "plugins" USING btree ("org_id","is_active","created_at_ms","id","deleted_at_ms") WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX "plugins_purge" ON "plugins" USING btree ("purge_after_ms");
--> statement-breakpoint
CREATE INDEX "plugins_image" ON "plugins" USING btree ("image_digest");
--> statement-breakpoint
CREATE INDEX "plugin_keywords_value" ON "plugin_keywords" USING btree ("org_id","keyword","created_at_ms","entity_id","is_active","is_shared");
--> statement-breakpoint
CREATE INDEX "plugin_labels_value" ON "plugin_labels" USING btree ("org_id","key","value","created_at_ms","entity_id","is_active","is_shared");
--> statement-breakpoint
CREATE UNIQUE INDEX "plugin_search_entity" ON "plugin_search" USING btree ("org_id","entity_id");
--> statement-breakpoint
CREATE INDEX "plugin_search_newest" ON "plugin_search" USING btree ("org_id","position");
--> statement-breakpoint
CREATE INDEX "build_jobs_due" ON "build_jobs" USING btree ("state","run_at_ms");
--> statement-breakpoint
CREATE INDEX "build_jobs_org" ON "build_jobs" USING btree ("org_id","state","run_at_ms","id");
--> statement-breakpoint
CREATE INDEX "build_jobs_failed" ON "build_jobs" USING btree ("org_id","failed_at_ms","id");
--> statement-breakpoint
CREATE INDEX "build_jobs_newest" ON "build_jobs" USING btree ("org_id","created_at_ms","id");
--> statement-breakpoint
CREATE INDEX "build_jobs_plugin" ON "build_jobs" USING btree ("org_id","plugin_id");
--> statement-breakpoint
CREATE INDEX "build_jobs_finished" ON "build_jobs" USING btree ("finished_at_ms");
--> statement-breakpoint
CREATE INDEX "build_logs_org" ON "build_logs" USING btree ("org_id","job_id");
--> statement-breakpoint
CREATE INDEX "registry_repositories_org" ON "registry_repositories" USING btree ("org_id","name");
--> statement-breakpoint
CREATE INDEX "registry_repositories_newest" ON "registry_repositories" USING btree ("org_id","created_at_ms","name");
--> statement-breakpoint
CREATE INDEX "registry_images_org" ON "registry_images" USING btree ("org_id","repository");
--> statement-breakpoint
CREATE INDEX "registry_images_digest" ON "registry_images" USING btree ("digest");
--> statement-breakpoint
CREATE INDEX "registry_tags_org" ON "registry_tags" USING btree ("org_id","repository","tag");
--> statement-breakpoint
CREATE INDEX "registry_tags_newest" ON "registry_tags" USING btree ("repository","created_at_ms","tag");
--> statement-breakpoint
CREATE INDEX "registry_blobs_org" ON "registry_blobs" USING btree ("org_id","digest","bytes");
--> statement-breakpoint
CREATE INDEX "registry_events_seen" ON "registry_events" USING btree ("seen_at_ms");
--> statement-breakpoint
CREATE INDEX "billing_alerts_time" ON "billing_alerts" USING btree ("org_id","created_at_ms","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_alert_firings_once" ON "billing_alert_firings" USING btree ("alert_id","period_start_ms");
--> statement-breakpoint
CREATE INDEX "billing_alert_firings_org" ON "billing_alert_firings" USING btree ("org_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_subscriptions_live" ON "billing_subscriptions" USING btree ("org_id") WHERE status IN ('active', 'trialing', 'past_due');
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_subscriptions_incomplete" ON "billing_subscriptions" USING btree ("org_id") WHERE status = 'incomplete';
--> statement-breakpoint
CREATE INDEX "billing_subscriptions_org" ON "billing_subscriptions" USING btree ("org_id","id");
--> statement-breakpoint
CREATE INDEX "billing_subscriptions_time" ON "billing_subscriptions" USING btree ("created_at_ms","id");
--> statement-breakpoint
CREATE INDEX "billing_subscriptions_unsealed" ON "billing_subscriptions" USING btree ("id") WHERE last_seq > sealed_seq;
--> statement-breakpoint
CREATE INDEX "billing_subscriptions_due" ON "billing_subscriptions" USING btree ("status","current_period_end_ms");
--> statement-breakpoint
CREATE INDEX "billing_subscriptions_state" ON "billing_subscriptions" USING btree ("status","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_period_rolls_once" ON "billing_period_rolls" USING btree ("subscription_id","period_start_ms");
--> statement-breakpoint
CREATE INDEX "billing_period_rolls_org" ON "billing_period_rolls" USING btree ("org_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_credit_entries_key" ON "billing_credit_entries" USING btree ("org_id","dedupe_key");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_credit_entries_seq" ON "billing_credit_entries" USING btree ("subscription_id","seq");
--> statement-breakpoint
CREATE INDEX "billing_credit_entries_open" ON "billing_credit_entries" USING btree ("subscription_id","id") WHERE remaining_cents > 0;
--> statement-breakpoint
CREATE INDEX "billing_credit_entries_org" ON "billing_credit_entries" USING btree ("org_id","id");
--> statement-breakpoint
CREATE INDEX "billing_credit_entries_time" ON "billing_credit_entries" USING btree ("org_id","granted_at_ms","id");
--> statement-breakpoint
CREATE INDEX "billing_credit_entries_actor" ON "billing_credit_entries" USING btree ("actor_id");
--> statement-breakpoint
CREATE INDEX "billing_events_time" ON "billing_events" USING btree ("org_id","created_at_ms","id");
--> statement-breakpoint
CREATE INDEX "billing_events_type" ON "billing_events" USING btree ("org_id","type","created_at_ms","id");
--> statement-breakpoint
CREATE INDEX "billing_events_all" ON "billing_events" USING btree ("created_at_ms","id");
--> statement-breakpoint
CREATE INDEX "billing_events_actor" ON "billing_events" USING btree ("actor_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_invoices_external" ON "billing_invoices" USING btree ("source","external_id");
--> statement-breakpoint
CREATE INDEX "billing_invoices_time" ON "billing_invoices" USING btree ("org_id","created_at_ms","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_clocks_org" ON "billing_clocks" USING btree ("org_id");
--> statement-breakpoint
CREATE INDEX "billing_clocks_time" ON "billing_clocks" USING btree ("org_id","created_at_ms","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_discounts_alias" ON "billing_discounts" USING btree ("alias");
--> statement-breakpoint
CREATE INDEX "billing_discounts_time" ON "billing_discounts" USING btree ("created_at_ms","id");
--> statement-breakpoint
CREATE INDEX "billing_discounts_creator" ON "billing_discounts" USING btree ("created_by");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_redemptions_once" ON "billing_redemptions" USING btree ("discount_id","org_id");
--> statement-breakpoint
CREATE INDEX "billing_redemptions_org" ON "billing_redemptions" USING btree ("org_id","id");
--> statement-breakpoint
CREATE INDEX "billing_promotions_time" ON "billing_promotions" USING btree ("created_at_ms","id");
--> statement-breakpoint
CREATE INDEX "billing_promotions_creator" ON "billing_promotions" USING btree ("created_by");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_referrals_referee" ON "billing_referrals" USING btree ("referee_org_id");
--> statement-breakpoint
CREATE INDEX "billing_referrals_due" ON "billing_referrals" USING btree ("status","id");
--> statement-breakpoint
CREATE INDEX "billing_referrals_referrer" ON "billing_referrals" USING btree ("referrer_org_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_provider_customers_external" ON "billing_provider_customers" USING btree ("provider","customer_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_provider_links_external" ON "billing_provider_links" USING btree ("provider","external_id");
--> statement-breakpoint
CREATE INDEX "billing_provider_links_org" ON "billing_provider_links" USING btree ("org_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_provider_calls_key" ON "billing_provider_calls" USING btree ("idem_key");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_provider_calls_client" ON "billing_provider_calls" USING btree ("org_id","client_key");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_provider_calls_open" ON "billing_provider_calls" USING btree ("subscription_id") WHERE state IN ('queued', 'sent', 'unknown');
--> statement-breakpoint
CREATE INDEX "billing_provider_calls_due" ON "billing_provider_calls" USING btree ("state","next_at_ms");
--> statement-breakpoint
CREATE INDEX "billing_provider_calls_time" ON "billing_provider_calls" USING btree ("created_at_ms","id");
--> statement-breakpoint
CREATE INDEX "billing_provider_calls_org" ON "billing_provider_calls" USING btree ("org_id","id");
--> statement-breakpoint
CREATE INDEX "billing_provider_calls_actor" ON "billing_provider_calls" USING btree ("actor_id");
--> statement-breakpoint
CREATE INDEX "billing_webhook_events_object" ON "billing_webhook_events" USING btree ("source","object_id");
--> statement-breakpoint
CREATE INDEX "billing_webhook_events_due" ON "billing_webhook_events" USING btree ("state","next_at_ms");
--> statement-breakpoint
CREATE INDEX "billing_webhook_events_time" ON "billing_webhook_events" USING btree ("received_at_ms","id");
--> statement-breakpoint
CREATE INDEX "billing_kept_invoices_account" ON "billing_kept_invoices" USING btree ("account_id","created_at_ms","id");
--> statement-breakpoint
CREATE INDEX "billing_kept_invoices_time" ON "billing_kept_invoices" USING btree ("created_at_ms","id");
--> statement-breakpoint
CREATE INDEX "billing_kept_invoices_due" ON "billing_kept_invoices" USING btree ("kept_until_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_marketplace_customers_key" ON "billing_marketplace_customers" USING btree ("customer_key");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_marketplace_customers_claim" ON "billing_marketplace_customers" USING btree ("claim_hash");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_marketplace_customers_subscription" ON "billing_marketplace_customers" USING btree ("subscription_id");
--> statement-breakpoint
CREATE INDEX "billing_marketplace_customers_org" ON "billing_marketplace_customers" USING btree ("org_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_metering_hours_once" ON "billing_metering_hours" USING btree ("customer_id","hour");
--> statement-breakpoint
CREATE INDEX "billing_metering_hours_open" ON "billing_metering_hours" USING btree ("hour","id") WHERE status = 'open';
--> statement-breakpoint
CREATE INDEX "billing_metering_hours_period" ON "billing_metering_hours" USING btree ("customer_id","period_start_ms");
--> statement-breakpoint
CREATE INDEX "billing_metering_hours_org" ON "billing_metering_hours" USING btree ("org_id","id");
--> statement-breakpoint
CREATE INDEX "billing_metering_hours_ended" ON "billing_metering_hours" USING btree ("ended_at_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_credit_holds_key" ON "billing_credit_holds" USING btree ("org_id","key");
--> statement-breakpoint
CREATE INDEX "billing_credit_holds_org" ON "billing_credit_holds" USING btree ("org_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "report_sources_id" ON "report_sources" USING btree ("id");
--> statement-breakpoint
CREATE UNIQUE INDEX "report_sources_name" ON "report_sources" USING btree ("org_id","name");
--> statement-breakpoint
CREATE INDEX "report_deliveries_received" ON "report_deliveries" USING btree ("org_id","source_id","received_ms","id");
--> statement-breakpoint
CREATE INDEX "report_deliveries_old" ON "report_deliveries" USING btree ("received_ms");
--> statement-breakpoint
CREATE INDEX "report_builds_finished" ON "report_builds" USING btree ("org_id","finished_ms");
--> statement-breakpoint
CREATE INDEX "report_builds_old" ON "report_builds" USING btree ("finished_ms");
--> statement-breakpoint
CREATE INDEX "report_outcomes_execution" ON "report_outcomes" USING btree ("org_id","execution_id");
--> statement-breakpoint
CREATE INDEX "report_incidents_opened" ON "report_incidents" USING btree ("org_id","environment","opened_ms");
--> statement-breakpoint
CREATE INDEX "report_daily_runs_day" ON "report_daily_runs" USING btree ("org_id","part","day_ms");
--> statement-breakpoint
CREATE INDEX "report_daily_deployments_day" ON "report_daily_deployments" USING btree ("org_id","day_ms");
--> statement-breakpoint
CREATE INDEX "report_daily_deployments_known" ON "report_daily_deployments" USING btree ("org_id","pipeline_id","environment","day_ms","production","first_ms");
--> statement-breakpoint
CREATE INDEX "report_events_occurred" ON "report_events" USING btree ("org_id","occurred_ms");
--> statement-breakpoint
CREATE INDEX "report_events_received" ON "report_events" USING btree ("org_id","received_ms");
--> statement-breakpoint
CREATE INDEX "report_events_execution" ON "report_events" USING btree ("org_id","pipeline_id","execution_id");
--> statement-breakpoint
CREATE INDEX "report_executions_started" ON "report_executions" USING btree ("org_id","started_ms","pipeline_id","status","duration_ms");
--> statement-breakpoint
CREATE INDEX "report_executions_pipeline" ON "report_executions" USING btree ("org_id","pipeline_id","started_ms");
--> statement-breakpoint
CREATE INDEX "report_steps_pipeline" ON "report_steps" USING btree ("org_id","pipeline_id","started_ms");
--> statement-breakpoint
CREATE INDEX "report_steps_started" ON "report_steps" USING btree ("org_id","started_ms");
--> statement-breakpoint
CREATE INDEX "report_swept_runs_pipeline" ON "report_swept_runs" USING btree ("org_id","pipeline_id","started_ms");
--> statement-breakpoint
CREATE INDEX "report_swept_runs_started" ON "report_swept_runs" USING btree ("org_id","started_ms");
--> statement-breakpoint
CREATE INDEX "report_deployments_completed" ON "report_deployments" USING btree ("org_id","environment","completed_ms");
--> statement-breakpoint
CREATE INDEX "report_deployments_ended" ON "report_deployments" USING btree ("org_id","completed_ms");
--> statement-breakpoint
CREATE INDEX "report_deployments_lane" ON "report_deployments" USING btree ("org_id","pipeline_id","environment","completed_ms","status");
--> statement-breakpoint
CREATE INDEX "report_deployments_started" ON "report_deployments" USING btree ("org_id","started_ms");
--> statement-breakpoint
CREATE INDEX "report_deployments_sha" ON "report_deployments" USING btree ("org_id","sha","pipeline_id","environment");
--> statement-breakpoint
CREATE INDEX "report_parked_received" ON "report_parked" USING btree ("org_id","received_ms");
--> statement-breakpoint
CREATE INDEX "report_parked_old" ON "report_parked" USING btree ("received_ms");
--> statement-breakpoint
CREATE INDEX "ai_generations_created" ON "ai_generations" USING btree ("org_id","created_at_ms","id");
--> statement-breakpoint
CREATE INDEX "ai_generations_lease" ON "ai_generations" USING btree ("state","lease_until_ms");
--> statement-breakpoint
CREATE INDEX "ai_generations_age" ON "ai_generations" USING btree ("created_at_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "identity_providers_name" ON "identity_providers" USING btree ("org_id","name_key");
--> statement-breakpoint
CREATE UNIQUE INDEX "idp_domains_name" ON "idp_domains" USING btree ("org_id","domain");
--> statement-breakpoint
CREATE UNIQUE INDEX "idp_domains_held" ON "idp_domains" USING btree ("held_domain");
--> statement-breakpoint
CREATE INDEX "idp_domains_checked" ON "idp_domains" USING btree ("checked_at_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "identity_links_subject" ON "identity_links" USING btree ("provider_id","issuer","subject");
--> statement-breakpoint
CREATE UNIQUE INDEX "identity_links_user" ON "identity_links" USING btree ("provider_id","user_id");
--> statement-breakpoint
CREATE INDEX "identity_links_org" ON "identity_links" USING btree ("org_id","user_id");
--> statement-breakpoint
CREATE INDEX "identity_links_person" ON "identity_links" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "auth_flows_expiry" ON "auth_flows" USING btree ("expires_at_ms");
--> statement-breakpoint
CREATE INDEX "auth_flows_org" ON "auth_flows" USING btree ("org_id");
--> statement-breakpoint
CREATE INDEX "auth_grants_expiry" ON "auth_grants" USING btree ("expires_at_ms");
--> statement-breakpoint
CREATE INDEX "auth_grants_org" ON "auth_grants" USING btree ("org_id");
--> statement-breakpoint
CREATE INDEX "social_flows_expiry" ON "social_flows" USING btree ("expires_at_ms");
--> statement-breakpoint
CREATE INDEX "social_flows_user" ON "social_flows" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "logout_tokens_expiry" ON "logout_tokens" USING btree ("expires_at_ms");
--> statement-breakpoint
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plumbline_tenant') THEN CREATE ROLE plumbline_tenant NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
--> statement-breakpoint
DO $$ BEGIN
  EXECUTE format('GRANT plumbline_tenant TO %I', current_user);
EXCEPTION WHEN insufficient_privilege THEN
  IF NOT pg_has_role(current_user, 'plumbline_tenant', 'MEMBER') THEN RAISE; END IF;
END $$;
--> statement-breakpoint
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plumbline_system') THEN CREATE ROLE plumbline_system NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
--> statement-breakpoint
DO $$ BEGIN
  EXECUTE format('GRANT plumbline_system TO %I', current_user);
EXCEPTION WHEN insufficient_privilege THEN
  IF NOT pg_has_role(current_user, 'plumbline_system', 'MEMBER') THEN RAISE; END IF;
END $$;
--> statement-breakpoint
GRANT USAGE ON SCHEMA public TO plumbline_tenant, plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "idempotency_keys" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "idempotency_keys" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "idempotency_keys" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "idempotency_keys_system" ON "idempotency_keys" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "idempotency_keys_read" ON "idempotency_keys" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "idempotency_keys_insert" ON "idempotency_keys" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "idempotency_keys_update" ON "idempotency_keys" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "idempotency_keys_delete" ON "idempotency_keys" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "jobs" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "jobs" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "jobs" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "jobs" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "jobs_system" ON "jobs" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "jobs_read" ON "jobs" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "jobs_insert" ON "jobs" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "jobs_update" ON "jobs" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "jobs_delete" ON "jobs" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "leases" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "schedule_ticks" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "audit_outbox" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "audit_outbox" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "audit_outbox" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "audit_outbox" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "audit_outbox_system" ON "audit_outbox" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "audit_outbox_read" ON "audit_outbox" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "affected_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_outbox_insert" ON "audit_outbox" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true) OR "affected_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_outbox_update" ON "audit_outbox" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "affected_org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true) OR "affected_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_outbox_delete" ON "audit_outbox" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "affected_org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "organizations" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "organizations" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "organizations" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "organizations" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "organizations_system" ON "organizations" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "organizations_read" ON "organizations" FOR SELECT TO plumbline_tenant USING ("id" = current_setting('app.org', true) OR ("id" = ANY (current_setting('app.readable', true)::text[]) AND (parent_org_id IS NULL)));
--> statement-breakpoint
CREATE POLICY "organizations_insert" ON "organizations" FOR INSERT TO plumbline_tenant WITH CHECK ("id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "organizations_update" ON "organizations" FOR UPDATE TO plumbline_tenant USING ("id" = current_setting('app.org', true)) WITH CHECK ("id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "organizations_delete" ON "organizations" FOR DELETE TO plumbline_tenant USING ("id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "users" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT (id, username, username_key, email, email_key, email_verified_at_ms, is_active, last_active_at_ms, token_version), UPDATE (token_version) ON "users" TO plumbline_tenant;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "memberships" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "memberships" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "memberships" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "memberships" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "memberships_system" ON "memberships" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "memberships_read" ON "memberships" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "memberships_insert" ON "memberships" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "memberships_update" ON "memberships" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "memberships_delete" ON "memberships" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "roles" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "roles" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "roles" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "roles" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "roles_system" ON "roles" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "roles_read" ON "roles" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "roles_insert" ON "roles" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "roles_update" ON "roles" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "roles_delete" ON "roles" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "role_assignments" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "role_assignments" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "role_assignments" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "role_assignments" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "role_assignments_system" ON "role_assignments" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "role_assignments_read" ON "role_assignments" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "role_assignments_insert" ON "role_assignments" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "role_assignments_update" ON "role_assignments" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "role_assignments_delete" ON "role_assignments" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_roles" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_roles" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_roles" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_roles" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_roles_system" ON "compliance_roles" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_roles_read" ON "compliance_roles" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_roles_insert" ON "compliance_roles" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_roles_update" ON "compliance_roles" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_roles_delete" ON "compliance_roles" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "invitations" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "invitations" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "invitations" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "invitations" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "invitations_system" ON "invitations" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "invitations_read" ON "invitations" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "invitations_insert" ON "invitations" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "invitations_update" ON "invitations" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "invitations_delete" ON "invitations" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "service_principals" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "service_principals" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "service_principals" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "service_principals" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "service_principals_system" ON "service_principals" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "service_principals_read" ON "service_principals" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "service_principals_insert" ON "service_principals" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "service_principals_update" ON "service_principals" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "service_principals_delete" ON "service_principals" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "org_secrets" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "org_secrets" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "org_secrets" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "org_secrets" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "org_secrets_system" ON "org_secrets" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "org_secrets_read" ON "org_secrets" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "org_secrets_insert" ON "org_secrets" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "org_secrets_update" ON "org_secrets" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "org_secrets_delete" ON "org_secrets" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "identity_stamps" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "sessions" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "session_proofs" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "spent_refresh_tokens" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "personal_access_tokens" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "personal_access_tokens" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "personal_access_tokens" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "personal_access_tokens" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "personal_access_tokens_system" ON "personal_access_tokens" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "personal_access_tokens_read" ON "personal_access_tokens" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "personal_access_tokens_insert" ON "personal_access_tokens" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "personal_access_tokens_update" ON "personal_access_tokens" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "personal_access_tokens_delete" ON "personal_access_tokens" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "one_time_tokens" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "lockouts" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "known_networks" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "mail_pauses" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "used_token_ids" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "totp_factors" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "recovery_codes" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "social_links" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "idp_groups" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "idp_groups" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "idp_groups" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "idp_groups" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "idp_groups_system" ON "idp_groups" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "idp_groups_read" ON "idp_groups" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "idp_groups_insert" ON "idp_groups" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "idp_groups_update" ON "idp_groups" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "idp_groups_delete" ON "idp_groups" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "idp_group_members" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "idp_group_members" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "idp_group_members" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "idp_group_members" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "idp_group_members_system" ON "idp_group_members" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "idp_group_members_read" ON "idp_group_members" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "idp_group_members_insert" ON "idp_group_members" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "idp_group_members_update" ON "idp_group_members" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "idp_group_members_delete" ON "idp_group_members" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "group_roles" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "group_roles" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "group_roles" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "group_roles" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "group_roles_system" ON "group_roles" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "group_roles_read" ON "group_roles" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "group_roles_insert" ON "group_roles" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "group_roles_update" ON "group_roles" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "group_roles_delete" ON "group_roles" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "scim_tokens" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "scim_tokens" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "scim_tokens" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "scim_tokens" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "scim_tokens_system" ON "scim_tokens" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "scim_tokens_read" ON "scim_tokens" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "scim_tokens_insert" ON "scim_tokens" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "scim_tokens_update" ON "scim_tokens" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "scim_tokens_delete" ON "scim_tokens" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "scim_users" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "scim_users" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "scim_users" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "scim_users" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "scim_users_system" ON "scim_users" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "scim_users_read" ON "scim_users" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "scim_users_insert" ON "scim_users" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "scim_users_update" ON "scim_users" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "scim_users_delete" ON "scim_users" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "audit_events" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "audit_events" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "audit_events" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "audit_events" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "audit_events_system" ON "audit_events" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "audit_events_read" ON "audit_events" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "affected_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_events_insert" ON "audit_events" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_events_update" ON "audit_events" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "affected_org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true) OR "affected_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_events_delete" ON "audit_events" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "affected_org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "audit_heads" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "audit_heads" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "audit_heads" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "audit_heads" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "audit_heads_system" ON "audit_heads" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "audit_heads_read" ON "audit_heads" FOR SELECT TO plumbline_tenant USING ("chain" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_heads_insert" ON "audit_heads" FOR INSERT TO plumbline_tenant WITH CHECK ("chain" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_heads_update" ON "audit_heads" FOR UPDATE TO plumbline_tenant USING ("chain" = current_setting('app.org', true)) WITH CHECK ("chain" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_heads_delete" ON "audit_heads" FOR DELETE TO plumbline_tenant USING ("chain" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "audit_checkpoints" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "audit_checkpoints" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "audit_checkpoints" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "audit_checkpoints" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "audit_checkpoints_system" ON "audit_checkpoints" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "audit_checkpoints_read" ON "audit_checkpoints" FOR SELECT TO plumbline_tenant USING ("chain" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_checkpoints_insert" ON "audit_checkpoints" FOR INSERT TO plumbline_tenant WITH CHECK ("chain" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_checkpoints_update" ON "audit_checkpoints" FOR UPDATE TO plumbline_tenant USING ("chain" = current_setting('app.org', true)) WITH CHECK ("chain" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_checkpoints_delete" ON "audit_checkpoints" FOR DELETE TO plumbline_tenant USING ("chain" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "audit_directories" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "audit_anchors" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "audit_anchors" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "audit_anchors" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "audit_anchors" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "audit_anchors_system" ON "audit_anchors" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "audit_anchors_read" ON "audit_anchors" FOR SELECT TO plumbline_tenant USING ("chain" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_anchors_insert" ON "audit_anchors" FOR INSERT TO plumbline_tenant WITH CHECK ("chain" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_anchors_update" ON "audit_anchors" FOR UPDATE TO plumbline_tenant USING ("chain" = current_setting('app.org', true)) WITH CHECK ("chain" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_anchors_delete" ON "audit_anchors" FOR DELETE TO plumbline_tenant USING ("chain" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "audit_witnessed" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "audit_ingest_keys" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "quota_limits" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "quota_limits" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "quota_limits" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "quota_limits" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "quota_limits_system" ON "quota_limits" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "quota_limits_read" ON "quota_limits" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_limits_insert" ON "quota_limits" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_limits_update" ON "quota_limits" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_limits_delete" ON "quota_limits" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "quota_counters" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "quota_counters" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "quota_counters" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "quota_counters" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "quota_counters_system" ON "quota_counters" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "quota_counters_read" ON "quota_counters" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_counters_insert" ON "quota_counters" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_counters_update" ON "quota_counters" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_counters_delete" ON "quota_counters" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "quota_pools" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "quota_pools" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "quota_pools" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "quota_pools" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "quota_pools_system" ON "quota_pools" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "quota_pools_read" ON "quota_pools" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_pools_insert" ON "quota_pools" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_pools_update" ON "quota_pools" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_pools_delete" ON "quota_pools" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "quota_notices" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "quota_notices" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "quota_notices" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "quota_notices" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "quota_notices_system" ON "quota_notices" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "quota_notices_read" ON "quota_notices" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_notices_insert" ON "quota_notices" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_notices_update" ON "quota_notices" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_notices_delete" ON "quota_notices" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "quota_increments" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "quota_increments" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "quota_increments" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "quota_increments" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "quota_increments_system" ON "quota_increments" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "quota_increments_read" ON "quota_increments" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_increments_insert" ON "quota_increments" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_increments_update" ON "quota_increments" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "quota_increments_delete" ON "quota_increments" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_rules" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_rules" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_rules" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_rules" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_rules_system" ON "compliance_rules" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_rules_read" ON "compliance_rules" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (scope = 'published' OR is_template OR propagate_to_children)));
--> statement-breakpoint
CREATE POLICY "compliance_rules_insert" ON "compliance_rules" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_rules_update" ON "compliance_rules" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_rules_delete" ON "compliance_rules" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_rule_versions" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_rule_versions" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_rule_versions" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_rule_versions" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_rule_versions_system" ON "compliance_rule_versions" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_rule_versions_read" ON "compliance_rule_versions" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (scope = 'published' OR is_template OR propagate_to_children)));
--> statement-breakpoint
CREATE POLICY "compliance_rule_versions_insert" ON "compliance_rule_versions" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_rule_versions_update" ON "compliance_rule_versions" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_rule_versions_delete" ON "compliance_rule_versions" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_rule_history" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_rule_history" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_rule_history" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_rule_history" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_rule_history_system" ON "compliance_rule_history" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_rule_history_read" ON "compliance_rule_history" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (scope = 'published')));
--> statement-breakpoint
CREATE POLICY "compliance_rule_history_insert" ON "compliance_rule_history" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_rule_history_update" ON "compliance_rule_history" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_rule_history_delete" ON "compliance_rule_history" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_subscriptions" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_subscriptions" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_subscriptions" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_subscriptions" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_subscriptions_system" ON "compliance_subscriptions" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_subscriptions_read" ON "compliance_subscriptions" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_subscriptions_insert" ON "compliance_subscriptions" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_subscriptions_update" ON "compliance_subscriptions" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_subscriptions_delete" ON "compliance_subscriptions" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_policies" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_policies" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_policies" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_policies" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_policies_system" ON "compliance_policies" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_policies_read" ON "compliance_policies" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (is_template OR is_published)));
--> statement-breakpoint
CREATE POLICY "compliance_policies_insert" ON "compliance_policies" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_policies_update" ON "compliance_policies" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_policies_delete" ON "compliance_policies" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_policy_rules" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_policy_rules" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_policy_rules" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_policy_rules" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_policy_rules_system" ON "compliance_policy_rules" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_policy_rules_read" ON "compliance_policy_rules" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (true)));
--> statement-breakpoint
CREATE POLICY "compliance_policy_rules_insert" ON "compliance_policy_rules" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_policy_rules_update" ON "compliance_policy_rules" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_policy_rules_delete" ON "compliance_policy_rules" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_subscription_intervals" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_subscription_intervals" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_subscription_intervals" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_subscription_intervals" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_subscription_intervals_system" ON "compliance_subscription_intervals" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_subscription_intervals_read" ON "compliance_subscription_intervals" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_subscription_intervals_insert" ON "compliance_subscription_intervals" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_subscription_intervals_update" ON "compliance_subscription_intervals" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_subscription_intervals_delete" ON "compliance_subscription_intervals" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_policy_rule_intervals" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_policy_rule_intervals" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_policy_rule_intervals" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_policy_rule_intervals" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_policy_rule_intervals_system" ON "compliance_policy_rule_intervals" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_policy_rule_intervals_read" ON "compliance_policy_rule_intervals" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (true)));
--> statement-breakpoint
CREATE POLICY "compliance_policy_rule_intervals_insert" ON "compliance_policy_rule_intervals" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_policy_rule_intervals_update" ON "compliance_policy_rule_intervals" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_policy_rule_intervals_delete" ON "compliance_policy_rule_intervals" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_past_starts" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_past_starts" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_past_starts" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_past_starts" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_past_starts_system" ON "compliance_past_starts" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_past_starts_read" ON "compliance_past_starts" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (true)));
--> statement-breakpoint
CREATE POLICY "compliance_past_starts_insert" ON "compliance_past_starts" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_past_starts_update" ON "compliance_past_starts" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_past_starts_delete" ON "compliance_past_starts" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_entitlements" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_entitlements" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_entitlements" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_entitlements" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_entitlements_system" ON "compliance_entitlements" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_entitlements_read" ON "compliance_entitlements" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_entitlements_insert" ON "compliance_entitlements" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_entitlements_update" ON "compliance_entitlements" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_entitlements_delete" ON "compliance_entitlements" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_exemptions" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_exemptions" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_exemptions" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_exemptions" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_exemptions_system" ON "compliance_exemptions" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_exemptions_read" ON "compliance_exemptions" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "review_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_exemptions_insert" ON "compliance_exemptions" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_exemptions_update" ON "compliance_exemptions" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "review_org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true) OR "review_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_exemptions_delete" ON "compliance_exemptions" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "review_org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_rule_set_stamps" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_rule_set_stamps" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_rule_set_stamps" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_rule_set_stamps" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_rule_set_stamps_system" ON "compliance_rule_set_stamps" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_rule_set_stamps_read" ON "compliance_rule_set_stamps" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (true)));
--> statement-breakpoint
CREATE POLICY "compliance_rule_set_stamps_insert" ON "compliance_rule_set_stamps" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_rule_set_stamps_update" ON "compliance_rule_set_stamps" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_rule_set_stamps_delete" ON "compliance_rule_set_stamps" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_checks" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_checks" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_checks" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_checks" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_checks_system" ON "compliance_checks" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_checks_read" ON "compliance_checks" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_checks_insert" ON "compliance_checks" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_checks_update" ON "compliance_checks" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_checks_delete" ON "compliance_checks" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_check_seals" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_check_seals" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_check_seals" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_check_seals" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_check_seals_system" ON "compliance_check_seals" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_check_seals_read" ON "compliance_check_seals" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_check_seals_insert" ON "compliance_check_seals" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_check_seals_update" ON "compliance_check_seals" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_check_seals_delete" ON "compliance_check_seals" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_entity_states" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_entity_states" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_entity_states" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_entity_states" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_entity_states_system" ON "compliance_entity_states" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_entity_states_read" ON "compliance_entity_states" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_entity_states_insert" ON "compliance_entity_states" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_entity_states_update" ON "compliance_entity_states" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_entity_states_delete" ON "compliance_entity_states" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_findings" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_findings" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_findings" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_findings" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_findings_system" ON "compliance_findings" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_findings_read" ON "compliance_findings" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_findings_insert" ON "compliance_findings" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_findings_update" ON "compliance_findings" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_findings_delete" ON "compliance_findings" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_check_days" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_check_days" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_check_days" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_check_days" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_check_days_system" ON "compliance_check_days" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_check_days_read" ON "compliance_check_days" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_check_days_insert" ON "compliance_check_days" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_check_days_update" ON "compliance_check_days" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_check_days_delete" ON "compliance_check_days" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_scans" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_scans" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_scans" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_scans" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_scans_system" ON "compliance_scans" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_scans_read" ON "compliance_scans" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_scans_insert" ON "compliance_scans" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_scans_update" ON "compliance_scans" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_scans_delete" ON "compliance_scans" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_scan_schedules" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "compliance_scan_schedules" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "compliance_scan_schedules" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "compliance_scan_schedules" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "compliance_scan_schedules_system" ON "compliance_scan_schedules" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "compliance_scan_schedules_read" ON "compliance_scan_schedules" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_scan_schedules_insert" ON "compliance_scan_schedules" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_scan_schedules_update" ON "compliance_scan_schedules" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "compliance_scan_schedules_delete" ON "compliance_scan_schedules" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "notification_preferences" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "notification_preferences" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "notification_preferences" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "notification_preferences" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "notification_preferences_system" ON "notification_preferences" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "notification_preferences_read" ON "notification_preferences" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "notification_preferences_insert" ON "notification_preferences" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "notification_preferences_update" ON "notification_preferences" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "notification_preferences_delete" ON "notification_preferences" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "notifications" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "notifications" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "notifications" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "notifications" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "notifications_system" ON "notifications" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "notifications_read" ON "notifications" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "notifications_insert" ON "notifications" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "notifications_update" ON "notifications" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "notifications_delete" ON "notifications" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "notification_deliveries" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "notification_deliveries" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "notification_deliveries" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "notification_deliveries" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "notification_deliveries_system" ON "notification_deliveries" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "notification_deliveries_read" ON "notification_deliveries" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "notification_deliveries_insert" ON "notification_deliveries" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "notification_deliveries_update" ON "notification_deliveries" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "notification_deliveries_delete" ON "notification_deliveries" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "notification_log" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "notification_log" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "notification_log" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "notification_log" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "notification_log_system" ON "notification_log" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "notification_log_read" ON "notification_log" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "notification_log_insert" ON "notification_log" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "notification_log_update" ON "notification_log" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "notification_log_delete" ON "notification_log" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "messages" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "messages" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "messages" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "messages" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "messages_system" ON "messages" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "messages_read" ON "messages" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (recipient_org_id = '*')) OR current_setting('app.org', true) = '00000000-0000-7000-8000-000000000001');
--> statement-breakpoint
CREATE POLICY "messages_insert" ON "messages" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "messages_update" ON "messages" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "messages_delete" ON "messages" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "message_search" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "message_search" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "message_search" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "message_search" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "message_search_system" ON "message_search" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "message_search_read" ON "message_search" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (recipient_org_id = '*')) OR current_setting('app.org', true) = '00000000-0000-7000-8000-000000000001');
--> statement-breakpoint
CREATE POLICY "message_search_insert" ON "message_search" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "message_search_update" ON "message_search" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "message_search_delete" ON "message_search" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "message_reads" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "message_reads" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "message_reads" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "message_reads" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "message_reads_system" ON "message_reads" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "message_reads_read" ON "message_reads" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "message_reads_insert" ON "message_reads" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "message_reads_update" ON "message_reads" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "message_reads_delete" ON "message_reads" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "message_attachments" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "message_attachments" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "message_attachments" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "message_attachments" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "message_attachments_system" ON "message_attachments" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "message_attachments_read" ON "message_attachments" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (recipient_org_id = '*')) OR current_setting('app.org', true) = '00000000-0000-7000-8000-000000000001');
--> statement-breakpoint
CREATE POLICY "message_attachments_insert" ON "message_attachments" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "message_attachments_update" ON "message_attachments" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "message_attachments_delete" ON "message_attachments" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "message_events" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "message_events" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "message_events" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "message_events" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "message_events_system" ON "message_events" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "message_events_read" ON "message_events" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (recipient_org_id = '*')));
--> statement-breakpoint
CREATE POLICY "message_events_insert" ON "message_events" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "message_events_update" ON "message_events" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "message_events_delete" ON "message_events" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "recipient_org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipelines" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipelines" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "pipelines" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "pipelines" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "pipelines_system" ON "pipelines" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "pipelines_read" ON "pipelines" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (access_modifier = 'public' AND deleted_at_ms IS NULL)));
--> statement-breakpoint
CREATE POLICY "pipelines_insert" ON "pipelines" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipelines_update" ON "pipelines" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipelines_delete" ON "pipelines" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_plugins" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_plugins" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "pipeline_plugins" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "pipeline_plugins" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "pipeline_plugins_system" ON "pipeline_plugins" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "pipeline_plugins_read" ON "pipeline_plugins" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (is_shared)));
--> statement-breakpoint
CREATE POLICY "pipeline_plugins_insert" ON "pipeline_plugins" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_plugins_update" ON "pipeline_plugins" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_plugins_delete" ON "pipeline_plugins" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_keywords" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_keywords" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "pipeline_keywords" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "pipeline_keywords" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "pipeline_keywords_system" ON "pipeline_keywords" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "pipeline_keywords_read" ON "pipeline_keywords" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (is_shared)));
--> statement-breakpoint
CREATE POLICY "pipeline_keywords_insert" ON "pipeline_keywords" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_keywords_update" ON "pipeline_keywords" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_keywords_delete" ON "pipeline_keywords" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_labels" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_labels" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "pipeline_labels" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "pipeline_labels" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "pipeline_labels_system" ON "pipeline_labels" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "pipeline_labels_read" ON "pipeline_labels" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (is_shared)));
--> statement-breakpoint
CREATE POLICY "pipeline_labels_insert" ON "pipeline_labels" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_labels_update" ON "pipeline_labels" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_labels_delete" ON "pipeline_labels" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_search" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_search" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "pipeline_search" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "pipeline_search" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "pipeline_search_system" ON "pipeline_search" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "pipeline_search_read" ON "pipeline_search" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (is_shared)));
--> statement-breakpoint
CREATE POLICY "pipeline_search_insert" ON "pipeline_search" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_search_update" ON "pipeline_search" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_search_delete" ON "pipeline_search" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_revisions" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_revisions" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "pipeline_revisions" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "pipeline_revisions" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "pipeline_revisions_system" ON "pipeline_revisions" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "pipeline_revisions_read" ON "pipeline_revisions" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_revisions_insert" ON "pipeline_revisions" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_revisions_update" ON "pipeline_revisions" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_revisions_delete" ON "pipeline_revisions" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_registry" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_registry" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "pipeline_registry" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "pipeline_registry" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "pipeline_registry_system" ON "pipeline_registry" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "pipeline_registry_read" ON "pipeline_registry" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_registry_insert" ON "pipeline_registry" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_registry_update" ON "pipeline_registry" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_registry_delete" ON "pipeline_registry" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_templates" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_templates" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "pipeline_templates" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "pipeline_templates" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "pipeline_templates_system" ON "pipeline_templates" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "pipeline_templates_read" ON "pipeline_templates" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (access_modifier = 'public' AND deleted_at_ms IS NULL)));
--> statement-breakpoint
CREATE POLICY "pipeline_templates_insert" ON "pipeline_templates" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_templates_update" ON "pipeline_templates" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_templates_delete" ON "pipeline_templates" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_template_keywords" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_template_keywords" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "pipeline_template_keywords" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "pipeline_template_keywords" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "pipeline_template_keywords_system" ON "pipeline_template_keywords" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "pipeline_template_keywords_read" ON "pipeline_template_keywords" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (is_shared)));
--> statement-breakpoint
CREATE POLICY "pipeline_template_keywords_insert" ON "pipeline_template_keywords" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_template_keywords_update" ON "pipeline_template_keywords" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_template_keywords_delete" ON "pipeline_template_keywords" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_template_labels" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_template_labels" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "pipeline_template_labels" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "pipeline_template_labels" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "pipeline_template_labels_system" ON "pipeline_template_labels" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "pipeline_template_labels_read" ON "pipeline_template_labels" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (is_shared)));
--> statement-breakpoint
CREATE POLICY "pipeline_template_labels_insert" ON "pipeline_template_labels" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_template_labels_update" ON "pipeline_template_labels" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_template_labels_delete" ON "pipeline_template_labels" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_template_search" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "pipeline_template_search" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "pipeline_template_search" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "pipeline_template_search" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "pipeline_template_search_system" ON "pipeline_template_search" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "pipeline_template_search_read" ON "pipeline_template_search" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (is_shared)));
--> statement-breakpoint
CREATE POLICY "pipeline_template_search_insert" ON "pipeline_template_search" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_template_search_update" ON "pipeline_template_search" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "pipeline_template_search_delete" ON "pipeline_template_search" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "plugins" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "plugins" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "plugins" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "plugins" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "plugins_system" ON "plugins" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "plugins_read" ON "plugins" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (access_modifier = 'public' AND deleted_at_ms IS NULL)));
--> statement-breakpoint
CREATE POLICY "plugins_insert" ON "plugins" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "plugins_update" ON "plugins" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "plugins_delete" ON "plugins" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "plugin_keywords" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "plugin_keywords" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "plugin_keywords" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "plugin_keywords" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "plugin_keywords_system" ON "plugin_keywords" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "plugin_keywords_read" ON "plugin_keywords" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (is_shared)));
--> statement-breakpoint
CREATE POLICY "plugin_keywords_insert" ON "plugin_keywords" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "plugin_keywords_update" ON "plugin_keywords" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "plugin_keywords_delete" ON "plugin_keywords" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "plugin_labels" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "plugin_labels" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "plugin_labels" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "plugin_labels" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "plugin_labels_system" ON "plugin_labels" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "plugin_labels_read" ON "plugin_labels" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (is_shared)));
--> statement-breakpoint
CREATE POLICY "plugin_labels_insert" ON "plugin_labels" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "plugin_labels_update" ON "plugin_labels" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "plugin_labels_delete" ON "plugin_labels" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "plugin_search" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "plugin_search" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "plugin_search" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "plugin_search" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "plugin_search_system" ON "plugin_search" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "plugin_search_read" ON "plugin_search" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (is_shared)));
--> statement-breakpoint
CREATE POLICY "plugin_search_insert" ON "plugin_search" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "plugin_search_update" ON "plugin_search" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "plugin_search_delete" ON "plugin_search" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "build_jobs" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "build_jobs" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "build_jobs" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "build_jobs" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "build_jobs_system" ON "build_jobs" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "build_jobs_read" ON "build_jobs" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "build_jobs_insert" ON "build_jobs" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "build_jobs_update" ON "build_jobs" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "build_jobs_delete" ON "build_jobs" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "build_logs" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "build_logs" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "build_logs" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "build_logs" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "build_logs_system" ON "build_logs" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "build_logs_read" ON "build_logs" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "build_logs_insert" ON "build_logs" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "build_logs_update" ON "build_logs" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "build_logs_delete" ON "build_logs" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "build_turns" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "build_turns" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "build_turns" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "build_turns" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "build_turns_system" ON "build_turns" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "build_turns_read" ON "build_turns" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "build_turns_insert" ON "build_turns" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "build_turns_update" ON "build_turns" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "build_turns_delete" ON "build_turns" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "builders" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT (seen_at_ms, fault, fault_at_ms) ON "builders" TO plumbline_tenant;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "registry_repositories" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "registry_repositories" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "registry_repositories" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "registry_repositories" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "registry_repositories_system" ON "registry_repositories" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "registry_repositories_read" ON "registry_repositories" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (is_shared)));
--> statement-breakpoint
CREATE POLICY "registry_repositories_insert" ON "registry_repositories" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "registry_repositories_update" ON "registry_repositories" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "registry_repositories_delete" ON "registry_repositories" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "registry_images" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "registry_images" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "registry_images" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "registry_images" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "registry_images_system" ON "registry_images" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "registry_images_read" ON "registry_images" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "registry_images_insert" ON "registry_images" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "registry_images_update" ON "registry_images" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "registry_images_delete" ON "registry_images" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "registry_tags" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "registry_tags" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "registry_tags" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "registry_tags" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "registry_tags_system" ON "registry_tags" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "registry_tags_read" ON "registry_tags" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (is_shared)));
--> statement-breakpoint
CREATE POLICY "registry_tags_insert" ON "registry_tags" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "registry_tags_update" ON "registry_tags" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "registry_tags_delete" ON "registry_tags" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "registry_blobs" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "registry_blobs" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "registry_blobs" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "registry_blobs" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "registry_blobs_system" ON "registry_blobs" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "registry_blobs_read" ON "registry_blobs" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "registry_blobs_insert" ON "registry_blobs" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "registry_blobs_update" ON "registry_blobs" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "registry_blobs_delete" ON "registry_blobs" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "registry_holds" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "registry_events" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_alerts" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_alerts" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_alerts" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_alerts" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_alerts_system" ON "billing_alerts" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_alerts_read" ON "billing_alerts" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_alerts_insert" ON "billing_alerts" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_alerts_update" ON "billing_alerts" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_alerts_delete" ON "billing_alerts" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_alert_firings" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_alert_firings" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_alert_firings" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_alert_firings" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_alert_firings_system" ON "billing_alert_firings" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_alert_firings_read" ON "billing_alert_firings" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_alert_firings_insert" ON "billing_alert_firings" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_alert_firings_update" ON "billing_alert_firings" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_alert_firings_delete" ON "billing_alert_firings" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_accounts" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_accounts" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_accounts" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_accounts" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_accounts_system" ON "billing_accounts" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_accounts_read" ON "billing_accounts" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_accounts_insert" ON "billing_accounts" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_accounts_update" ON "billing_accounts" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_accounts_delete" ON "billing_accounts" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_subscriptions" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_subscriptions" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_subscriptions" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_subscriptions" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_subscriptions_system" ON "billing_subscriptions" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_subscriptions_read" ON "billing_subscriptions" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_subscriptions_insert" ON "billing_subscriptions" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_subscriptions_update" ON "billing_subscriptions" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_subscriptions_delete" ON "billing_subscriptions" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_period_rolls" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_period_rolls" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_period_rolls" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_period_rolls" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_period_rolls_system" ON "billing_period_rolls" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_period_rolls_read" ON "billing_period_rolls" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_period_rolls_insert" ON "billing_period_rolls" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_period_rolls_update" ON "billing_period_rolls" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_period_rolls_delete" ON "billing_period_rolls" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_credit_entries" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_credit_entries" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_credit_entries" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_credit_entries" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_credit_entries_system" ON "billing_credit_entries" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_credit_entries_read" ON "billing_credit_entries" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_credit_entries_insert" ON "billing_credit_entries" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_credit_entries_update" ON "billing_credit_entries" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_credit_entries_delete" ON "billing_credit_entries" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_events" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_events" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_events" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_events" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_events_system" ON "billing_events" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_events_read" ON "billing_events" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_events_insert" ON "billing_events" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_events_update" ON "billing_events" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_events_delete" ON "billing_events" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_invoices" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_invoices" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_invoices" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_invoices" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_invoices_system" ON "billing_invoices" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_invoices_read" ON "billing_invoices" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_invoices_insert" ON "billing_invoices" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_invoices_update" ON "billing_invoices" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_invoices_delete" ON "billing_invoices" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_clocks" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_clocks" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_clocks" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_clocks" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_clocks_system" ON "billing_clocks" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_clocks_read" ON "billing_clocks" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_clocks_insert" ON "billing_clocks" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_clocks_update" ON "billing_clocks" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_clocks_delete" ON "billing_clocks" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_entitlement_drift" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_entitlement_drift" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_entitlement_drift" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_entitlement_drift" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_entitlement_drift_system" ON "billing_entitlement_drift" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_entitlement_drift_read" ON "billing_entitlement_drift" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_entitlement_drift_insert" ON "billing_entitlement_drift" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_entitlement_drift_update" ON "billing_entitlement_drift" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_entitlement_drift_delete" ON "billing_entitlement_drift" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_discounts" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_redemptions" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_redemptions" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_redemptions" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_redemptions" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_redemptions_system" ON "billing_redemptions" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_redemptions_read" ON "billing_redemptions" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_redemptions_insert" ON "billing_redemptions" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_redemptions_update" ON "billing_redemptions" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_redemptions_delete" ON "billing_redemptions" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_promotions" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_promotion_closed" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_referrals" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_referrals" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_referrals" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_referrals" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_referrals_system" ON "billing_referrals" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_referrals_read" ON "billing_referrals" FOR SELECT TO plumbline_tenant USING ("referee_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_referrals_insert" ON "billing_referrals" FOR INSERT TO plumbline_tenant WITH CHECK ("referee_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_referrals_update" ON "billing_referrals" FOR UPDATE TO plumbline_tenant USING ("referee_org_id" = current_setting('app.org', true)) WITH CHECK ("referee_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_referrals_delete" ON "billing_referrals" FOR DELETE TO plumbline_tenant USING ("referee_org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_provider_customers" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_provider_customers" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_provider_customers" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_provider_customers" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_provider_customers_system" ON "billing_provider_customers" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_provider_customers_read" ON "billing_provider_customers" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_provider_customers_insert" ON "billing_provider_customers" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_provider_customers_update" ON "billing_provider_customers" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_provider_customers_delete" ON "billing_provider_customers" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_provider_links" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_provider_links" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_provider_links" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_provider_links" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_provider_links_system" ON "billing_provider_links" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_provider_links_read" ON "billing_provider_links" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_provider_links_insert" ON "billing_provider_links" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_provider_links_update" ON "billing_provider_links" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_provider_links_delete" ON "billing_provider_links" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_provider_calls" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_provider_calls" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_provider_calls" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_provider_calls" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_provider_calls_system" ON "billing_provider_calls" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_provider_calls_read" ON "billing_provider_calls" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_provider_calls_insert" ON "billing_provider_calls" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_provider_calls_update" ON "billing_provider_calls" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_provider_calls_delete" ON "billing_provider_calls" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_webhook_events" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_provider_cursors" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_kept_invoices" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_marketplace_customers" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_marketplace_customers" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_marketplace_customers" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_marketplace_customers" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_marketplace_customers_system" ON "billing_marketplace_customers" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_marketplace_customers_read" ON "billing_marketplace_customers" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_marketplace_customers_insert" ON "billing_marketplace_customers" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_marketplace_customers_update" ON "billing_marketplace_customers" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_marketplace_customers_delete" ON "billing_marketplace_customers" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_metering_hours" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_metering_hours" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_metering_hours" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_metering_hours" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_metering_hours_system" ON "billing_metering_hours" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_metering_hours_read" ON "billing_metering_hours" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_metering_hours_insert" ON "billing_metering_hours" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_metering_hours_update" ON "billing_metering_hours" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_metering_hours_delete" ON "billing_metering_hours" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_credit_holds" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "billing_credit_holds" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "billing_credit_holds" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing_credit_holds" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "billing_credit_holds_system" ON "billing_credit_holds" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "billing_credit_holds_read" ON "billing_credit_holds" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_credit_holds_insert" ON "billing_credit_holds" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_credit_holds_update" ON "billing_credit_holds" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "billing_credit_holds_delete" ON "billing_credit_holds" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_retention" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_retention" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_retention" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_retention" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_retention_system" ON "report_retention" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_retention_read" ON "report_retention" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR ("org_id" = ANY (current_setting('app.readable', true)::text[]) AND (true)));
--> statement-breakpoint
CREATE POLICY "report_retention_insert" ON "report_retention" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_retention_update" ON "report_retention" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_retention_delete" ON "report_retention" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_sources" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_sources" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_sources" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_sources" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_sources_system" ON "report_sources" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_sources_read" ON "report_sources" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_sources_insert" ON "report_sources" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_sources_update" ON "report_sources" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_sources_delete" ON "report_sources" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_deliveries" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_deliveries" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_deliveries" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_deliveries" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_deliveries_system" ON "report_deliveries" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_deliveries_read" ON "report_deliveries" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_deliveries_insert" ON "report_deliveries" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_deliveries_update" ON "report_deliveries" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_deliveries_delete" ON "report_deliveries" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_builds" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_builds" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_builds" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_builds" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_builds_system" ON "report_builds" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_builds_read" ON "report_builds" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_builds_insert" ON "report_builds" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_builds_update" ON "report_builds" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_builds_delete" ON "report_builds" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_outcomes" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_outcomes" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_outcomes" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_outcomes" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_outcomes_system" ON "report_outcomes" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_outcomes_read" ON "report_outcomes" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_outcomes_insert" ON "report_outcomes" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_outcomes_update" ON "report_outcomes" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_outcomes_delete" ON "report_outcomes" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_incidents" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_incidents" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_incidents" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_incidents" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_incidents_system" ON "report_incidents" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_incidents_read" ON "report_incidents" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_incidents_insert" ON "report_incidents" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_incidents_update" ON "report_incidents" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_incidents_delete" ON "report_incidents" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_links" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_links" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_links" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_links" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_links_system" ON "report_links" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_links_read" ON "report_links" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_links_insert" ON "report_links" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_links_update" ON "report_links" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_links_delete" ON "report_links" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_settings" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_settings" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_settings" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_settings" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_settings_system" ON "report_settings" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_settings_read" ON "report_settings" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_settings_insert" ON "report_settings" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_settings_update" ON "report_settings" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_settings_delete" ON "report_settings" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_daily_runs" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_daily_runs" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_daily_runs" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_daily_runs" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_daily_runs_system" ON "report_daily_runs" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_daily_runs_read" ON "report_daily_runs" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_daily_runs_insert" ON "report_daily_runs" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_daily_runs_update" ON "report_daily_runs" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_daily_runs_delete" ON "report_daily_runs" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_daily_deployments" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_daily_deployments" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_daily_deployments" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_daily_deployments" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_daily_deployments_system" ON "report_daily_deployments" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_daily_deployments_read" ON "report_daily_deployments" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_daily_deployments_insert" ON "report_daily_deployments" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_daily_deployments_update" ON "report_daily_deployments" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_daily_deployments_delete" ON "report_daily_deployments" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_dirty" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_dirty" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_dirty" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_dirty" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_dirty_system" ON "report_dirty" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_dirty_read" ON "report_dirty" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_dirty_insert" ON "report_dirty" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_dirty_update" ON "report_dirty" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_dirty_delete" ON "report_dirty" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_events" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_events" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_events" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_events" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_events_system" ON "report_events" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_events_read" ON "report_events" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_events_insert" ON "report_events" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_events_update" ON "report_events" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_events_delete" ON "report_events" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_executions" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_executions" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_executions" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_executions" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_executions_system" ON "report_executions" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_executions_read" ON "report_executions" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_executions_insert" ON "report_executions" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_executions_update" ON "report_executions" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_executions_delete" ON "report_executions" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_steps" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_steps" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_steps" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_steps" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_steps_system" ON "report_steps" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_steps_read" ON "report_steps" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_steps_insert" ON "report_steps" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_steps_update" ON "report_steps" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_steps_delete" ON "report_steps" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_swept_runs" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_swept_runs" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_swept_runs" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_swept_runs" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_swept_runs_system" ON "report_swept_runs" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_swept_runs_read" ON "report_swept_runs" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_swept_runs_insert" ON "report_swept_runs" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_swept_runs_update" ON "report_swept_runs" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_swept_runs_delete" ON "report_swept_runs" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_deployments" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_deployments" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_deployments" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_deployments" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_deployments_system" ON "report_deployments" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_deployments_read" ON "report_deployments" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_deployments_insert" ON "report_deployments" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_deployments_update" ON "report_deployments" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_deployments_delete" ON "report_deployments" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_commits" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_commits" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_commits" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_commits" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_commits_system" ON "report_commits" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_commits_read" ON "report_commits" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_commits_insert" ON "report_commits" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_commits_update" ON "report_commits" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_commits_delete" ON "report_commits" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_parked" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_parked" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_parked" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_parked" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_parked_system" ON "report_parked" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_parked_read" ON "report_parked" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_parked_insert" ON "report_parked" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_parked_update" ON "report_parked" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_parked_delete" ON "report_parked" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_skips" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_skips" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_skips" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_skips" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_skips_system" ON "report_skips" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_skips_read" ON "report_skips" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_skips_insert" ON "report_skips" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_skips_update" ON "report_skips" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_skips_delete" ON "report_skips" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_health" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "report_health" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "report_health" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "report_health" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "report_health_system" ON "report_health" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "report_health_read" ON "report_health" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_health_insert" ON "report_health" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_health_update" ON "report_health" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "report_health_delete" ON "report_health" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ai_keys" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ai_keys" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "ai_keys" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "ai_keys" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "ai_keys_system" ON "ai_keys" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "ai_keys_read" ON "ai_keys" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "ai_keys_insert" ON "ai_keys" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "ai_keys_update" ON "ai_keys" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "ai_keys_delete" ON "ai_keys" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ai_settings" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ai_settings" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "ai_settings" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "ai_settings" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "ai_settings_system" ON "ai_settings" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "ai_settings_read" ON "ai_settings" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "ai_settings_insert" ON "ai_settings" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "ai_settings_update" ON "ai_settings" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "ai_settings_delete" ON "ai_settings" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ai_spend" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ai_spend" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "ai_spend" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "ai_spend" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "ai_spend_system" ON "ai_spend" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "ai_spend_read" ON "ai_spend" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "ai_spend_insert" ON "ai_spend" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "ai_spend_update" ON "ai_spend" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "ai_spend_delete" ON "ai_spend" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ai_generations" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ai_generations" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "ai_generations" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "ai_generations" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "ai_generations_system" ON "ai_generations" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "ai_generations_read" ON "ai_generations" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "ai_generations_insert" ON "ai_generations" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "ai_generations_update" ON "ai_generations" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "ai_generations_delete" ON "ai_generations" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "identity_providers" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "identity_providers" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "identity_providers" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "identity_providers" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "identity_providers_system" ON "identity_providers" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "identity_providers_read" ON "identity_providers" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "identity_providers_insert" ON "identity_providers" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "identity_providers_update" ON "identity_providers" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "identity_providers_delete" ON "identity_providers" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "idp_domains" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "idp_domains" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "idp_domains" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "idp_domains" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "idp_domains_system" ON "idp_domains" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "idp_domains_read" ON "idp_domains" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "idp_domains_insert" ON "idp_domains" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "idp_domains_update" ON "idp_domains" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "idp_domains_delete" ON "idp_domains" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "identity_links" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "identity_links" TO plumbline_tenant;
--> statement-breakpoint
ALTER TABLE "identity_links" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "identity_links" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY "identity_links_system" ON "identity_links" TO plumbline_system USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "identity_links_read" ON "identity_links" FOR SELECT TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "identity_links_insert" ON "identity_links" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "identity_links_update" ON "identity_links" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "identity_links_delete" ON "identity_links" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "auth_flows" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "auth_grants" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "social_flows" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "logout_tokens" TO plumbline_system;
--> statement-breakpoint
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO plumbline_tenant, plumbline_system;
--> statement-breakpoint
CREATE POLICY "jobs_insert_system" ON "jobs" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" IS NULL);
--> statement-breakpoint
ALTER TABLE audit_outbox ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id();
--> statement-breakpoint
REVOKE UPDATE, DELETE ON audit_outbox FROM plumbline_tenant;
--> statement-breakpoint
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plumbline_maintenance') THEN CREATE ROLE plumbline_maintenance NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
--> statement-breakpoint
DO $$ BEGIN
  EXECUTE format('GRANT plumbline_maintenance TO %I', current_user);
EXCEPTION WHEN insufficient_privilege THEN
  IF NOT pg_has_role(current_user, 'plumbline_maintenance', 'MEMBER') THEN RAISE; END IF;
END $$;
--> statement-breakpoint
GRANT SELECT, UPDATE, DELETE ON audit_events TO plumbline_maintenance;
--> statement-breakpoint
GRANT SELECT ON audit_checkpoints, audit_anchors TO plumbline_maintenance;
--> statement-breakpoint
CREATE POLICY audit_events_maintenance ON audit_events TO plumbline_maintenance USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY audit_checkpoints_maintenance ON audit_checkpoints FOR SELECT TO plumbline_maintenance USING (true);
--> statement-breakpoint
CREATE POLICY audit_anchors_maintenance ON audit_anchors FOR SELECT TO plumbline_maintenance USING (true);
--> statement-breakpoint
REVOKE UPDATE, DELETE ON audit_events FROM plumbline_system;
--> statement-breakpoint
REVOKE INSERT, UPDATE, DELETE ON audit_events FROM plumbline_tenant;
--> statement-breakpoint
REVOKE INSERT, UPDATE, DELETE ON audit_heads FROM plumbline_tenant;
--> statement-breakpoint
REVOKE INSERT, UPDATE, DELETE ON audit_checkpoints FROM plumbline_tenant;
--> statement-breakpoint
REVOKE INSERT, UPDATE, DELETE ON audit_anchors FROM plumbline_tenant;
--> statement-breakpoint
CREATE FUNCTION plumbline_audit_guard() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_user <> 'plumbline_maintenance' THEN
    RAISE EXCEPTION 'audit events cannot be changed or deleted' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  IF NEW.chain IS DISTINCT FROM OLD.chain OR NEW.seq IS DISTINCT FROM OLD.seq OR NEW.id IS DISTINCT FROM OLD.id OR NEW.action IS DISTINCT FROM OLD.action OR NEW.actor_id IS DISTINCT FROM OLD.actor_id OR NEW.actor_role IS DISTINCT FROM OLD.actor_role OR NEW.org_id IS DISTINCT FROM OLD.org_id OR NEW.affected_org_id IS DISTINCT FROM OLD.affected_org_id OR NEW.target_type IS DISTINCT FROM OLD.target_type OR NEW.target_id IS DISTINCT FROM OLD.target_id OR NEW.group_id IS DISTINCT FROM OLD.group_id OR NEW.impersonator_id IS DISTINCT FROM OLD.impersonator_id OR NEW.outcome IS DISTINCT FROM OLD.outcome OR NEW.request_id IS DISTINCT FROM OLD.request_id OR NEW.trace_id IS DISTINCT FROM OLD.trace_id OR NEW.idempotency_key IS DISTINCT FROM OLD.idempotency_key OR NEW.occurred_at IS DISTINCT FROM OLD.occurred_at OR NEW.created_at IS DISTINCT FROM OLD.created_at OR NEW.prev_hash IS DISTINCT FROM OLD.prev_hash OR NEW.identity_hash IS DISTINCT FROM OLD.identity_hash OR NEW.details_hash IS DISTINCT FROM OLD.details_hash OR NEW.hash IS DISTINCT FROM OLD.hash OR (NEW.actor_email IS NOT NULL AND NEW.actor_email IS DISTINCT FROM OLD.actor_email) OR (NEW.ip IS NOT NULL AND NEW.ip IS DISTINCT FROM OLD.ip) OR (NEW.user_agent IS NOT NULL AND NEW.user_agent IS DISTINCT FROM OLD.user_agent) OR (NEW.identity_salt IS NOT NULL AND NEW.identity_salt IS DISTINCT FROM OLD.identity_salt) OR (NEW.details IS NOT NULL AND NEW.details IS DISTINCT FROM OLD.details) OR (NEW.details_salt IS NOT NULL AND NEW.details_salt IS DISTINCT FROM OLD.details_salt) THEN
    RAISE EXCEPTION 'an event can be erased, not changed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_events_guard BEFORE UPDATE OR DELETE ON audit_events FOR EACH ROW EXECUTE FUNCTION plumbline_audit_guard();
--> statement-breakpoint
CREATE FUNCTION plumbline_audit_no_truncate() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'audit events cannot be truncated' USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE UNIQUE INDEX audit_events_prev ON audit_events (chain, prev_hash);
--> statement-breakpoint
CREATE UNIQUE INDEX audit_events_hash ON audit_events (hash);
--> statement-breakpoint
CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION plumbline_audit_no_truncate();
--> statement-breakpoint
CREATE FUNCTION plumbline_audit_prune(p_chain text, p_through bigint) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE gone bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM public.audit_anchors WHERE chain = p_chain AND through_seq = p_through) THEN
    RAISE EXCEPTION 'pruning needs its anchor first';
  END IF;
  IF p_through > (SELECT coalesce(max(size), 0) FROM public.audit_checkpoints WHERE chain = p_chain) THEN
    RAISE EXCEPTION 'what no checkpoint covers cannot be pruned';
  END IF;
  DELETE FROM public.audit_events WHERE chain = p_chain AND seq <= p_through;
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;
--> statement-breakpoint
CREATE FUNCTION plumbline_audit_erase(p_chain text, p_seqs bigint[], p_part text) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE gone bigint;
BEGIN
  IF p_part = 'identity' THEN
    UPDATE public.audit_events SET actor_email = NULL, ip = NULL, user_agent = NULL, identity_salt = NULL
      WHERE chain = p_chain AND seq = ANY (p_seqs);
  ELSIF p_part = 'details' THEN
    UPDATE public.audit_events SET details = NULL, details_salt = NULL WHERE chain = p_chain AND seq = ANY (p_seqs);
  ELSE
    RAISE EXCEPTION 'a part is identity or details';
  END IF;
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;
--> statement-breakpoint
GRANT USAGE, CREATE ON SCHEMA public TO plumbline_maintenance;
--> statement-breakpoint
ALTER FUNCTION plumbline_audit_prune(text, bigint) OWNER TO plumbline_maintenance;
--> statement-breakpoint
REVOKE ALL ON FUNCTION plumbline_audit_prune(text, bigint) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION plumbline_audit_prune(text, bigint) TO plumbline_system;
--> statement-breakpoint
ALTER FUNCTION plumbline_audit_erase(text, bigint[], text) OWNER TO plumbline_maintenance;
--> statement-breakpoint
REVOKE ALL ON FUNCTION plumbline_audit_erase(text, bigint[], text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION plumbline_audit_erase(text, bigint[], text) TO plumbline_system;
--> statement-breakpoint
REVOKE CREATE ON SCHEMA public FROM plumbline_maintenance;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE INDEX message_search_title_trigrams ON message_search USING gin (title gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX message_search_body_trigrams ON message_search USING gin (body gin_trgm_ops);
--> statement-breakpoint
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plumbline_maintenance') THEN CREATE ROLE plumbline_maintenance NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
--> statement-breakpoint
DO $$ BEGIN
  EXECUTE format('GRANT plumbline_maintenance TO %I', current_user);
EXCEPTION WHEN insufficient_privilege THEN
  IF NOT pg_has_role(current_user, 'plumbline_maintenance', 'MEMBER') THEN RAISE; END IF;
END $$;
--> statement-breakpoint
GRANT SELECT ON message_search TO plumbline_maintenance;
--> statement-breakpoint
CREATE POLICY message_search_search ON message_search FOR SELECT TO plumbline_maintenance USING (true);
--> statement-breakpoint
CREATE FUNCTION plumbline_find_message_search(p_org text, p_pattern text, p_everything boolean, p_limit integer) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF current_setting('role') = 'plumbline_system'
    OR (p_org = current_setting('app.org', true) AND (NOT p_everything OR p_org = '00000000-0000-7000-8000-000000000001')) THEN
    RETURN QUERY SELECT DISTINCT t.root_id::text FROM public.message_search t
      WHERE (p_everything OR t.thread_org_id = p_org OR t.thread_recipient_org_id IN (p_org, '*'))
        AND (t.title LIKE p_pattern OR t.body LIKE p_pattern) LIMIT p_limit;
  END IF;
END $$;
--> statement-breakpoint
ALTER TABLE message_events ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id();
--> statement-breakpoint
CREATE INDEX message_events_sent_xid ON message_events (org_id, xid, position);
--> statement-breakpoint
CREATE INDEX message_events_received_xid ON message_events (recipient_org_id, xid, position);
--> statement-breakpoint
GRANT USAGE, CREATE ON SCHEMA public TO plumbline_maintenance;
--> statement-breakpoint
ALTER FUNCTION plumbline_find_message_search(text, text, boolean, integer) OWNER TO plumbline_maintenance;
--> statement-breakpoint
REVOKE ALL ON FUNCTION plumbline_find_message_search(text, text, boolean, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION plumbline_find_message_search(text, text, boolean, integer) TO plumbline_tenant, plumbline_system;
--> statement-breakpoint
REVOKE CREATE ON SCHEMA public FROM plumbline_maintenance;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE INDEX pipeline_search_title_trigrams ON pipeline_search USING gin (title gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX pipeline_search_body_trigrams ON pipeline_search USING gin (body gin_trgm_ops);
--> statement-breakpoint
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plumbline_maintenance') THEN CREATE ROLE plumbline_maintenance NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
--> statement-breakpoint
DO $$ BEGIN
  EXECUTE format('GRANT plumbline_maintenance TO %I', current_user);
EXCEPTION WHEN insufficient_privilege THEN
  IF NOT pg_has_role(current_user, 'plumbline_maintenance', 'MEMBER') THEN RAISE; END IF;
END $$;
--> statement-breakpoint
GRANT SELECT ON pipeline_search TO plumbline_maintenance;
--> statement-breakpoint
CREATE POLICY pipeline_search_search ON pipeline_search FOR SELECT TO plumbline_maintenance USING (true);
--> statement-breakpoint
CREATE FUNCTION plumbline_find_pipeline_search(p_org text, p_pattern text, p_body boolean, p_limit integer) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF p_org = current_setting('app.org', true)
    OR p_org = ANY (coalesce(nullif(current_setting('app.readable', true), ''), '{}')::text[])
    OR current_setting('role') = 'plumbline_system' THEN
    RETURN QUERY SELECT t.entity_id::text FROM public.pipeline_search t
      WHERE t.org_id = p_org AND (t.title LIKE p_pattern OR (p_body AND t.body LIKE p_pattern)) LIMIT p_limit;
  END IF;
END $$;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE INDEX pipeline_template_search_title_trigrams ON pipeline_template_search USING gin (title gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX pipeline_template_search_body_trigrams ON pipeline_template_search USING gin (body gin_trgm_ops);
--> statement-breakpoint
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plumbline_maintenance') THEN CREATE ROLE plumbline_maintenance NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
--> statement-breakpoint
DO $$ BEGIN
  EXECUTE format('GRANT plumbline_maintenance TO %I', current_user);
EXCEPTION WHEN insufficient_privilege THEN
  IF NOT pg_has_role(current_user, 'plumbline_maintenance', 'MEMBER') THEN RAISE; END IF;
END $$;
--> statement-breakpoint
GRANT SELECT ON pipeline_template_search TO plumbline_maintenance;
--> statement-breakpoint
CREATE POLICY pipeline_template_search_search ON pipeline_template_search FOR SELECT TO plumbline_maintenance USING (true);
--> statement-breakpoint
CREATE FUNCTION plumbline_find_pipeline_template_search(p_org text, p_pattern text, p_body boolean, p_limit integer) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF p_org = current_setting('app.org', true)
    OR p_org = ANY (coalesce(nullif(current_setting('app.readable', true), ''), '{}')::text[])
    OR current_setting('role') = 'plumbline_system' THEN
    RETURN QUERY SELECT t.entity_id::text FROM public.pipeline_template_search t
      WHERE t.org_id = p_org AND (t.title LIKE p_pattern OR (p_body AND t.body LIKE p_pattern)) LIMIT p_limit;
  END IF;
END $$;
--> statement-breakpoint
GRANT USAGE, CREATE ON SCHEMA public TO plumbline_maintenance;
--> statement-breakpoint
ALTER FUNCTION plumbline_find_pipeline_search(text, text, boolean, integer) OWNER TO plumbline_maintenance;
--> statement-breakpoint
REVOKE ALL ON FUNCTION plumbline_find_pipeline_search(text, text, boolean, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION plumbline_find_pipeline_search(text, text, boolean, integer) TO plumbline_tenant, plumbline_system;
--> statement-breakpoint
REVOKE CREATE ON SCHEMA public FROM plumbline_maintenance;
--> statement-breakpoint
GRANT USAGE, CREATE ON SCHEMA public TO plumbline_maintenance;
--> statement-breakpoint
ALTER FUNCTION plumbline_find_pipeline_template_search(text, text, boolean, integer) OWNER TO plumbline_maintenance;
--> statement-breakpoint
REVOKE ALL ON FUNCTION plumbline_find_pipeline_template_search(text, text, boolean, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION plumbline_find_pipeline_template_search(text, text, boolean, integer) TO plumbline_tenant, plumbline_system;
--> statement-breakpoint
REVOKE CREATE ON SCHEMA public FROM plumbline_maintenance;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE INDEX plugin_search_title_trigrams ON plugin_search USING gin (title gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX plugin_search_body_trigrams ON plugin_search USING gin (body gin_trgm_ops);
--> statement-breakpoint
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plumbline_maintenance') THEN CREATE ROLE plumbline_maintenance NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
--> statement-breakpoint
DO $$ BEGIN
  EXECUTE format('GRANT plumbline_maintenance TO %I', current_user);
EXCEPTION WHEN insufficient_privilege THEN
  IF NOT pg_has_role(current_user, 'plumbline_maintenance', 'MEMBER') THEN RAISE; END IF;
END $$;
--> statement-breakpoint
GRANT SELECT ON plugin_search TO plumbline_maintenance;
--> statement-breakpoint
CREATE POLICY plugin_search_search ON plugin_search FOR SELECT TO plumbline_maintenance USING (true);
--> statement-breakpoint
CREATE FUNCTION plumbline_find_plugin_search(p_org text, p_pattern text, p_body boolean, p_limit integer) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF p_org = current_setting('app.org', true)
    OR p_org = ANY (coalesce(nullif(current_setting('app.readable', true), ''), '{}')::text[])
    OR current_setting('role') = 'plumbline_system' THEN
    RETURN QUERY SELECT t.entity_id::text FROM public.plugin_search t
      WHERE t.org_id = p_org AND (t.title LIKE p_pattern OR (p_body AND t.body LIKE p_pattern)) LIMIT p_limit;
  END IF;
END $$;
--> statement-breakpoint
GRANT USAGE, CREATE ON SCHEMA public TO plumbline_maintenance;
--> statement-breakpoint
ALTER FUNCTION plumbline_find_plugin_search(text, text, boolean, integer) OWNER TO plumbline_maintenance;
--> statement-breakpoint
REVOKE ALL ON FUNCTION plumbline_find_plugin_search(text, text, boolean, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION plumbline_find_plugin_search(text, text, boolean, integer) TO plumbline_tenant, plumbline_system;
--> statement-breakpoint
REVOKE CREATE ON SCHEMA public FROM plumbline_maintenance;
