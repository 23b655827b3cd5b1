CREATE TABLE `idempotency_keys` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`org_id` text,
	`request_hash` text NOT NULL,
	`state` text NOT NULL,
	`claim_id` text NOT NULL,
	`lease_until_ms` integer NOT NULL,
	`answer` text,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expiry` ON `idempotency_keys` (`expires_at_ms`);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`org_id` text,
	`lane` text NOT NULL,
	`payload` text NOT NULL,
	`traceparent` text,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`run_at_ms` integer NOT NULL,
	`lease_until_ms` integer,
	`fence` integer NOT NULL,
	`unique_key` text,
	`last_error` text,
	`created_at_ms` integer NOT NULL,
	`finished_at_ms` integer
);
--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`state`,`run_at_ms`);
--> statement-breakpoint
CREATE INDEX `jobs_turn` ON `jobs` (`state`,`kind`,`lane`,`run_at_ms`);
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_unique_key` ON `jobs` (`kind`,`unique_key`);
--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`fence` integer NOT NULL,
	`until_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `schedule_ticks` (
	`name` text PRIMARY KEY NOT NULL,
	`tick` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_outbox` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`chain` text NOT NULL,
	`org_id` text,
	`affected_org_id` text,
	`event` text NOT NULL,
	`details` text,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_outbox_id` ON `audit_outbox` (`id`);
--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`display_name` text NOT NULL,
	`slug` text NOT NULL,
	`description` text NOT NULL,
	`parent_org_id` text,
	`root_org_id` text NOT NULL,
	`is_system` integer NOT NULL,
	`owner_id` text,
	`tier` text NOT NULL,
	`settings` text NOT NULL,
	`seat_limit` integer,
	`sso_enforced_at_ms` integer,
	`sso_lost_at_ms` integer,
	`addon_features` text NOT NULL,
	`revision` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	`deleted_at_ms` integer,
	`deleted_by` text,
	`purge_after_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_slug` ON `organizations` (`slug`);
--> statement-breakpoint
CREATE INDEX `organizations_by_name` ON `organizations` (`name_key`,`id`);
--> statement-breakpoint
CREATE INDEX `organizations_parent` ON `organizations` (`parent_org_id`);
--> statement-breakpoint
CREATE INDEX `organizations_root` ON `organizations` (`root_org_id`);
--> statement-breakpoint
CREATE INDEX `organizations_owner` ON `organizations` (`owner_id`);
--> statement-breakpoint
CREATE INDEX `organizations_purge` ON `organizations` (`purge_after_ms`);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`pending_email` text,
	`pending_session_id` text,
	`email_verified_at_ms` integer,
	`password_hash` text,
	`password_proved_key` text,
	`must_change_password` integer NOT NULL,
	`is_active` integer NOT NULL,
	`feature_overrides` text NOT NULL,
	`token_version` integer NOT NULL,
	`active_org_id` text,
	`preferences` text NOT NULL,
	`revision` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	`last_active_at_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_key` ON `users` (`username_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key` ON `users` (`email_key`);
--> statement-breakpoint
CREATE TABLE `memberships` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`is_active` integer NOT NULL,
	`joined_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `memberships_org_user` ON `memberships` (`org_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX `memberships_user` ON `memberships` (`user_id`);
--> statement-breakpoint
CREATE TABLE `roles` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`description` text NOT NULL,
	`permissions` text NOT NULL,
	`built_in` integer NOT NULL,
	`grants_level` text NOT NULL,
	`revision` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `roles_org_name` ON `roles` (`org_id`,`name_key`);
--> statement-breakpoint
CREATE TABLE `role_assignments` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`role_id` text NOT NULL,
	`user_id` text NOT NULL,
	`source` text NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `role_assignments_role_user` ON `role_assignments` (`role_id`,`user_id`,`source`);
--> statement-breakpoint
CREATE INDEX `role_assignments_org_user` ON `role_assignments` (`org_id`,`user_id`);
--> statement-breakpoint
CREATE TABLE `compliance_roles` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`granted_by` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_roles_user` ON `compliance_roles` (`org_id`,`user_id`);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`live_key` text,
	`role` text NOT NULL,
	`role_ids` text NOT NULL,
	`message` text NOT NULL,
	`status` text NOT NULL,
	`token_hash` text NOT NULL,
	`invitation_type` text NOT NULL,
	`allowed_oauth_providers` text NOT NULL,
	`invited_by` text NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`sent_at_ms` integer NOT NULL,
	`send_count` integer NOT NULL,
	`resend_day` text,
	`resends_on_day` integer NOT NULL,
	`sent_by_mail` integer NOT NULL,
	`accepted_at_ms` integer,
	`accepted_by` text,
	`accepted_via` text,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token` ON `invitations` (`token_hash`);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_live` ON `invitations` (`org_id`,`live_key`);
--> statement-breakpoint
CREATE INDEX `invitations_status` ON `invitations` (`status`,`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `invitations_pending` ON `invitations` (`org_id`,`status`,`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `invitations_org_created` ON `invitations` (`org_id`,`created_at_ms`);
--> statement-breakpoint
CREATE TABLE `service_principals` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`client_id` text NOT NULL,
	`secret_hash` text NOT NULL,
	`secret_hint` text NOT NULL,
	`previous_secret_hash` text,
	`previous_until_ms` integer,
	`scopes` text NOT NULL,
	`include_teams` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`valid_for_ms` integer NOT NULL,
	`last_used_at_ms` integer,
	`disabled_at_ms` integer,
	`created_by` text NOT NULL,
	`revision` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `service_principals_client` ON `service_principals` (`client_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `service_principals_name` ON `service_principals` (`name_key`);
--> statement-breakpoint
CREATE INDEX `service_principals_org` ON `service_principals` (`org_id`);
--> statement-breakpoint
CREATE TABLE `org_secrets` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`sealed` text NOT NULL,
	`plugins` text NOT NULL,
	`updated_by` text NOT NULL,
	`revision` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `org_secrets_org_name` ON `org_secrets` (`org_id`,`name`);
--> statement-breakpoint
CREATE TABLE `identity_stamps` (
	`kind` text PRIMARY KEY NOT NULL,
	`stamp` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`org_id` text,
	`refresh_hash` text NOT NULL,
	`prev_hash` text,
	`successor` text,
	`rotated_at_ms` integer,
	`cookie_hash` text,
	`prev_cookie_hash` text,
	`cookie_given_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`last_used_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`authenticated_at_ms` integer NOT NULL,
	`methods` text NOT NULL,
	`bound_org_id` text,
	`provider_id` text,
	`provider_subject` text,
	`provider_sid` text,
	`ip` text,
	`user_agent` text,
	`revoked_at_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_refresh` ON `sessions` (`refresh_hash`);
--> statement-breakpoint
CREATE INDEX `sessions_prev` ON `sessions` (`prev_hash`);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_cookie` ON `sessions` (`cookie_hash`);
--> statement-breakpoint
CREATE INDEX `sessions_prev_cookie` ON `sessions` (`prev_cookie_hash`);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);
--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `sessions_provider` ON `sessions` (`provider_id`,`provider_subject`);
--> statement-breakpoint
CREATE TABLE `session_proofs` (
	`session_id` text NOT NULL,
	`org_id` text NOT NULL,
	`method` text NOT NULL,
	`proved_at_ms` integer NOT NULL,
	`expires_at_ms` integer,
	`provider_id` text,
	`provider_subject` text,
	`provider_sid` text,
	PRIMARY KEY(`session_id`, `org_id`)
);
--> statement-breakpoint
CREATE INDEX `session_proofs_org` ON `session_proofs` (`org_id`);
--> statement-breakpoint
CREATE INDEX `session_proofs_provider` ON `session_proofs` (`provider_id`,`provider_subject`);
--> statement-breakpoint
CREATE TABLE `spent_refresh_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`spent_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `spent_refresh_tokens_session` ON `spent_refresh_tokens` (`session_id`);
--> statement-breakpoint
CREATE TABLE `personal_access_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`hint` text NOT NULL,
	`permissions` text,
	`bind_to_password` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`last_used_at_ms` integer,
	`revoked_at_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `personal_access_tokens_hash` ON `personal_access_tokens` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `personal_access_tokens_user` ON `personal_access_tokens` (`user_id`);
--> statement-breakpoint
CREATE INDEX `personal_access_tokens_org` ON `personal_access_tokens` (`org_id`,`user_id`);
--> statement-breakpoint
CREATE TABLE `one_time_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`user_id` text NOT NULL,
	`email` text,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `one_time_tokens_user` ON `one_time_tokens` (`user_id`,`kind`);
--> statement-breakpoint
CREATE INDEX `one_time_tokens_expiry` ON `one_time_tokens` (`expires_at_ms`);
--> statement-breakpoint
CREATE TABLE `lockouts` (
	`key` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`last_failure_at_ms` integer NOT NULL,
	`locked_until_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lockouts_age` ON `lockouts` (`last_failure_at_ms`);
--> statement-breakpoint
CREATE TABLE `known_networks` (
	`key` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`last_used_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `known_networks_user` ON `known_networks` (`user_id`,`last_used_at_ms`);
--> statement-breakpoint
CREATE INDEX `known_networks_age` ON `known_networks` (`last_used_at_ms`);
--> statement-breakpoint
CREATE TABLE `mail_pauses` (
	`key` text PRIMARY KEY NOT NULL,
	`sent_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mail_pauses_age` ON `mail_pauses` (`sent_at_ms`);
--> statement-breakpoint
CREATE TABLE `used_token_ids` (
	`jti` text PRIMARY KEY NOT NULL,
	`expires_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_token_ids_expiry` ON `used_token_ids` (`expires_at_ms`);
--> statement-breakpoint
CREATE TABLE `totp_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`sealed_secret` text NOT NULL,
	`confirmed_at_ms` integer,
	`last_time_step` integer,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user_id`);
--> statement-breakpoint
CREATE TABLE `social_links` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`provider` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`email` text,
	`created_at_ms` integer NOT NULL,
	`last_used_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `social_links_subject` ON `social_links` (`provider`,`issuer`,`subject`);
--> statement-breakpoint
CREATE UNIQUE INDEX `social_links_user` ON `social_links` (`user_id`,`provider`);
--> statement-breakpoint
CREATE TABLE `idp_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`external_id` text,
	`is_scim` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `idp_groups_name` ON `idp_groups` (`provider_id`,`name`);
--> statement-breakpoint
CREATE UNIQUE INDEX `idp_groups_external` ON `idp_groups` (`provider_id`,`external_id`);
--> statement-breakpoint
CREATE INDEX `idp_groups_key` ON `idp_groups` (`provider_id`,`name_key`);
--> statement-breakpoint
CREATE INDEX `idp_groups_org` ON `idp_groups` (`org_id`,`id`);
--> statement-breakpoint
CREATE TABLE `idp_group_members` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`group_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `idp_group_members_pair` ON `idp_group_members` (`group_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX `idp_group_members_user` ON `idp_group_members` (`org_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX `idp_group_members_org` ON `idp_group_members` (`org_id`,`id`);
--> statement-breakpoint
CREATE TABLE `group_roles` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`group_id` text NOT NULL,
	`role_id` text NOT NULL,
	`author_id` text NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `group_roles_pair` ON `group_roles` (`group_id`,`role_id`);
--> statement-breakpoint
CREATE INDEX `group_roles_role` ON `group_roles` (`org_id`,`role_id`);
--> statement-breakpoint
CREATE INDEX `group_roles_org` ON `group_roles` (`org_id`,`id`);
--> statement-breakpoint
CREATE TABLE `scim_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`hint` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`last_used_at_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_tokens_hash` ON `scim_tokens` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `scim_tokens_org` ON `scim_tokens` (`org_id`,`id`);
--> statement-breakpoint
CREATE TABLE `scim_users` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`user_id` text NOT NULL,
	`user_name` text NOT NULL,
	`user_name_key` text NOT NULL,
	`external_id` text,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`display_name` text,
	`given_name` text,
	`family_name` text,
	`formatted_name` text,
	`title` text,
	`display_name_key` text,
	`given_name_key` text,
	`family_name_key` text,
	`formatted_name_key` text,
	`title_key` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_users_person` ON `scim_users` (`org_id`,`user_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_users_name` ON `scim_users` (`org_id`,`user_name_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_users_external` ON `scim_users` (`org_id`,`external_id`);
--> statement-breakpoint
CREATE INDEX `scim_users_email` ON `scim_users` (`org_id`,`email_key`);
--> statement-breakpoint
CREATE INDEX `scim_users_org` ON `scim_users` (`org_id`,`id`);
--> statement-breakpoint
CREATE TABLE `audit_events` (
	`chain` text NOT NULL,
	`seq` integer NOT NULL,
	`id` text NOT NULL,
	`action` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_role` text,
	`org_id` text,
	`affected_org_id` text,
	`target_type` text,
	`target_id` text,
	`group_id` text,
	`impersonator_id` text,
	`outcome` text NOT NULL,
	`request_id` text,
	`trace_id` text,
	`idempotency_key` text,
	`occurred_at` text,
	`created_at` text NOT NULL,
	`prev_hash` text NOT NULL,
	`actor_email` text,
	`ip` text,
	`user_agent` text,
	`identity_salt` text,
	`identity_hash` text NOT NULL,
	`details` text,
	`details_salt` text,
	`details_hash` text,
	`hash` text NOT NULL,
	PRIMARY KEY(`chain`, `seq`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_events_id` ON `audit_events` (`id`);
--> statement-breakpoint
CREATE INDEX `audit_events_affected` ON `audit_events` (`affected_org_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `audit_events_org` ON `audit_events` (`org_id`,`created_at`) WHERE ("audit_events"."affected_org_id" <> "audit_events"."org_id" OR "audit_events"."affected_org_id" IS NULL);
--> statement-breakpoint
CREATE INDEX `audit_events_actor` ON `audit_events` (`actor_id`);
--> statement-breakpoint
CREATE INDEX `audit_events_created` ON `audit_events` (`created_at`);
--> statement-breakpoint
CREATE TABLE `audit_heads` (
	`chain` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`hash` text NOT NULL,
	`created_at` text NOT NULL,
	`frontier` text NOT NULL,
	`checkpoint_size` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_checkpoints` (
	`chain` text NOT NULL,
	`size` integer NOT NULL,
	`note` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`chain`, `size`)
);
--> statement-breakpoint
CREATE TABLE `audit_directories` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`note` text NOT NULL,
	`heads` text NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_anchors` (
	`chain` text PRIMARY KEY NOT NULL,
	`through_seq` integer NOT NULL,
	`hash` text NOT NULL,
	`pruned_count` integer NOT NULL,
	`pruned_at` text NOT NULL,
	`origin` text NOT NULL,
	`frontier` text NOT NULL,
	`signature` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_witnessed` (
	`witness` text NOT NULL,
	`chain` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`witness`, `chain`)
);
--> statement-breakpoint
CREATE TABLE `audit_ingest_keys` (
	`service` text NOT NULL,
	`org_id` text NOT NULL,
	`key` text NOT NULL,
	`body_hash` text NOT NULL,
	`event_id` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`service`, `org_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `audit_ingest_keys_age` ON `audit_ingest_keys` (`created_at_ms`);
--> statement-breakpoint
CREATE TABLE `quota_limits` (
	`org_id` text NOT NULL,
	`type` text NOT NULL,
	`override` integer,
	`granted` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	PRIMARY KEY(`org_id`, `type`)
);
--> statement-breakpoint
CREATE TABLE `quota_counters` (
	`org_id` text NOT NULL,
	`type` text NOT NULL,
	`period_start_ms` integer NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`org_id`, `type`, `period_start_ms`)
);
--> statement-breakpoint
CREATE TABLE `quota_pools` (
	`org_id` text NOT NULL,
	`type` text NOT NULL,
	`period_start_ms` integer NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`org_id`, `type`, `period_start_ms`)
);
--> statement-breakpoint
CREATE INDEX `quota_pools_period` ON `quota_pools` (`type`,`period_start_ms`);
--> statement-breakpoint
CREATE TABLE `quota_notices` (
	`org_id` text NOT NULL,
	`type` text NOT NULL,
	`period_start_ms` integer NOT NULL,
	`threshold` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`org_id`, `type`, `period_start_ms`, `threshold`)
);
--> statement-breakpoint
CREATE INDEX `quota_notices_created` ON `quota_notices` (`created_at_ms`);
--> statement-breakpoint
CREATE TABLE `quota_increments` (
	`org_id` text NOT NULL,
	`key` text NOT NULL,
	`type` text NOT NULL,
	`amount` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`org_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `quota_increments_created` ON `quota_increments` (`created_at_ms`);
--> statement-breakpoint
CREATE TABLE `compliance_scans` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text,
	`target` text NOT NULL,
	`filter` text,
	`dry_run` integer NOT NULL,
	`triggered_by` text NOT NULL,
	`slot_key` text,
	`status` text NOT NULL,
	`plugin_slot` text,
	`pipeline_slot` text,
	`total_entities` integer NOT NULL,
	`processed_entities` integer NOT NULL,
	`pass_count` integer NOT NULL,
	`warn_count` integer NOT NULL,
	`block_count` integer NOT NULL,
	`told_count` integer NOT NULL,
	`cursor_target` text,
	`cursor_id` text,
	`error_message` text,
	`heartbeat_at_ms` integer,
	`started_at_ms` integer,
	`completed_at_ms` integer,
	`cancelled_at_ms` integer,
	`cancelled_by` text,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_scans_plugin` ON `compliance_scans` (`org_id`,`plugin_slot`);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_scans_pipeline` ON `compliance_scans` (`org_id`,`pipeline_slot`);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_scans_slot` ON `compliance_scans` (`org_id`,`slot_key`);
--> statement-breakpoint
CREATE INDEX `compliance_scans_created` ON `compliance_scans` (`org_id`,`created_at_ms`);
--> statement-breakpoint
CREATE INDEX `compliance_scans_state` ON `compliance_scans` (`status`,`heartbeat_at_ms`);
--> statement-breakpoint
CREATE INDEX `compliance_scans_age` ON `compliance_scans` (`created_at_ms`);
--> statement-breakpoint
CREATE TABLE `compliance_scan_schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`target` text NOT NULL,
	`cron_expression` text NOT NULL,
	`is_active` integer NOT NULL,
	`last_run_at_ms` integer,
	`next_run_at_ms` integer,
	`revision` integer NOT NULL,
	`created_by` text,
	`created_at_ms` integer NOT NULL,
	`updated_by` text,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `compliance_scan_schedules_created` ON `compliance_scan_schedules` (`org_id`,`created_at_ms`);
--> statement-breakpoint
CREATE INDEX `compliance_scan_schedules_due` ON `compliance_scan_schedules` (`next_run_at_ms`);
--> statement-breakpoint
CREATE TABLE `compliance_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`live_name` text,
	`description` text,
	`target` text NOT NULL,
	`severity` text NOT NULL,
	`severity_rank` integer NOT NULL,
	`priority` integer NOT NULL,
	`scope` text NOT NULL,
	`check_body` text NOT NULL,
	`tags` text NOT NULL,
	`tag_text` text NOT NULL,
	`propagate_to_children` integer NOT NULL,
	`is_template` integer NOT NULL,
	`is_active` integer NOT NULL,
	`suppress_notification` integer NOT NULL,
	`mode` text NOT NULL,
	`effective_from_ms` integer,
	`effective_until_ms` integer,
	`forked_from_rule_id` text,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`created_by` text,
	`updated_at_ms` integer NOT NULL,
	`updated_by` text,
	`deleted_at_ms` integer,
	`deleted_by` text,
	`purge_after_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_rules_name` ON `compliance_rules` (`org_id`,`live_name`);
--> statement-breakpoint
CREATE INDEX `compliance_rules_created` ON `compliance_rules` (`org_id`,`created_at_ms`);
--> statement-breakpoint
CREATE INDEX `compliance_rules_by_name` ON `compliance_rules` (`org_id`,`name_key`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_rules_scope` ON `compliance_rules` (`org_id`,`scope`,`is_active`,`deleted_at_ms`,"priority" desc,`name_key`,"id" desc,`target`,`severity`);
--> statement-breakpoint
CREATE INDEX `compliance_rules_purge` ON `compliance_rules` (`purge_after_ms`);
--> statement-breakpoint
CREATE TABLE `compliance_rule_versions` (
	`id` text PRIMARY KEY NOT NULL,
	`rule_id` text NOT NULL,
	`version` integer NOT NULL,
	`org_id` text NOT NULL,
	`scope` text NOT NULL,
	`is_template` integer NOT NULL,
	`propagate_to_children` integer NOT NULL,
	`mode` text NOT NULL,
	`body` text NOT NULL,
	`valid_from_ms` integer NOT NULL,
	`valid_to_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_rule_versions_rule` ON `compliance_rule_versions` (`rule_id`,`version`);
--> statement-breakpoint
CREATE INDEX `compliance_rule_versions_org` ON `compliance_rule_versions` (`org_id`,`valid_from_ms`);
--> statement-breakpoint
CREATE TABLE `compliance_rule_history` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`version` integer NOT NULL,
	`scope` text NOT NULL,
	`change_type` text NOT NULL,
	`previous_state` text,
	`changed_by` text,
	`changed_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `compliance_rule_history_rule` ON `compliance_rule_history` (`org_id`,`rule_id`,`changed_at_ms`);
--> statement-breakpoint
CREATE TABLE `compliance_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`is_active` integer NOT NULL,
	`mode` text NOT NULL,
	`pinned_version` integer,
	`pinned_at_ms` integer,
	`pinned_by` text,
	`source` text NOT NULL,
	`opted_out` integer NOT NULL,
	`subscribed_at_ms` integer NOT NULL,
	`subscribed_by` text,
	`unsubscribed_at_ms` integer,
	`unsubscribed_by` text,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_subscriptions_rule` ON `compliance_subscriptions` (`org_id`,`rule_id`);
--> statement-breakpoint
CREATE INDEX `compliance_subscriptions_active` ON `compliance_subscriptions` (`org_id`,`is_active`);
--> statement-breakpoint
CREATE INDEX `compliance_subscriptions_of_rule` ON `compliance_subscriptions` (`rule_id`);
--> statement-breakpoint
CREATE TABLE `compliance_policies` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`version` text NOT NULL,
	`live_key` text,
	`description` text,
	`tags` text NOT NULL,
	`tag_text` text NOT NULL,
	`is_template` integer NOT NULL,
	`is_published` integer NOT NULL,
	`is_active` integer NOT NULL,
	`revision` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`created_by` text,
	`updated_at_ms` integer NOT NULL,
	`updated_by` text,
	`deleted_at_ms` integer,
	`deleted_by` text,
	`purge_after_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_policies_name` ON `compliance_policies` (`org_id`,`live_key`);
--> statement-breakpoint
CREATE INDEX `compliance_policies_created` ON `compliance_policies` (`org_id`,`created_at_ms`);
--> statement-breakpoint
CREATE INDEX `compliance_policies_by_name` ON `compliance_policies` (`org_id`,`name_key`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_policies_purge` ON `compliance_policies` (`purge_after_ms`);
--> statement-breakpoint
CREATE TABLE `compliance_policy_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`policy_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_policy_rules_member` ON `compliance_policy_rules` (`policy_id`,`rule_id`);
--> statement-breakpoint
CREATE INDEX `compliance_policy_rules_org` ON `compliance_policy_rules` (`org_id`,`rule_id`);
--> statement-breakpoint
CREATE TABLE `compliance_subscription_intervals` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`mode` text NOT NULL,
	`pinned_version` integer,
	`valid_from_ms` integer NOT NULL,
	`valid_to_ms` integer
);
--> statement-breakpoint
CREATE INDEX `compliance_subscription_intervals_org` ON `compliance_subscription_intervals` (`org_id`,`valid_from_ms`);
--> statement-breakpoint
CREATE INDEX `compliance_subscription_intervals_rule` ON `compliance_subscription_intervals` (`rule_id`,`org_id`,`valid_to_ms`);
--> statement-breakpoint
CREATE TABLE `compliance_policy_rule_intervals` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`policy_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`is_active` integer NOT NULL,
	`valid_from_ms` integer NOT NULL,
	`valid_to_ms` integer
);
--> statement-breakpoint
CREATE INDEX `compliance_policy_rule_intervals_org` ON `compliance_policy_rule_intervals` (`org_id`,`valid_from_ms`);
--> statement-breakpoint
CREATE INDEX `compliance_policy_rule_intervals_policy` ON `compliance_policy_rule_intervals` (`policy_id`,`valid_to_ms`);
--> statement-breakpoint
CREATE INDEX `compliance_policy_rule_intervals_rule` ON `compliance_policy_rule_intervals` (`rule_id`,`valid_to_ms`);
--> statement-breakpoint
CREATE TABLE `compliance_past_starts` (
	`org_id` text PRIMARY KEY NOT NULL,
	`from_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `compliance_exemptions` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`review_org_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`entity_type` text NOT NULL,
	`entity_id` text,
	`entity_key` text,
	`entity_key_text` text,
	`entity_name` text,
	`reason` text NOT NULL,
	`expires_at_ms` integer,
	`status` text NOT NULL,
	`open_key` text,
	`reviewed_by` text,
	`reviewed_at_ms` integer,
	`approved_by` text,
	`rejection_reason` text,
	`revision` integer NOT NULL,
	`created_by` text,
	`impersonator_id` text,
	`created_at_ms` integer NOT NULL,
	`updated_by` text,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_exemptions_open` ON `compliance_exemptions` (`org_id`,`open_key`);
--> statement-breakpoint
CREATE INDEX `compliance_exemptions_created` ON `compliance_exemptions` (`org_id`,`created_at_ms`);
--> statement-breakpoint
CREATE INDEX `compliance_exemptions_entity` ON `compliance_exemptions` (`org_id`,`entity_id`);
--> statement-breakpoint
CREATE INDEX `compliance_exemptions_key` ON `compliance_exemptions` (`org_id`,`entity_key_text`);
--> statement-breakpoint
CREATE INDEX `compliance_exemptions_review` ON `compliance_exemptions` (`review_org_id`,`org_id`);
--> statement-breakpoint
CREATE INDEX `compliance_exemptions_rule` ON `compliance_exemptions` (`rule_id`);
--> statement-breakpoint
CREATE INDEX `compliance_exemptions_end` ON `compliance_exemptions` (`expires_at_ms`);
--> statement-breakpoint
CREATE TABLE `compliance_entitlements` (
	`org_id` text PRIMARY KEY NOT NULL,
	`sets` text NOT NULL,
	`watermark_ms` integer,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `compliance_rule_set_stamps` (
	`org_id` text PRIMARY KEY NOT NULL,
	`stamp` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `compliance_checks` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text,
	`target` text NOT NULL,
	`action` text NOT NULL,
	`entity_id` text,
	`entity_name` text,
	`result` text NOT NULL,
	`violations` text NOT NULL,
	`observed` text NOT NULL,
	`exempted` text,
	`unresolved` text,
	`rule_text` text NOT NULL,
	`rule_count` integer NOT NULL,
	`rules_skipped` integer NOT NULL,
	`exemptions_applied` text NOT NULL,
	`attributes_hash` text NOT NULL,
	`scan_id` text,
	`event_id` text,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `compliance_checks_created` ON `compliance_checks` (`org_id`,`created_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_checks_entity` ON `compliance_checks` (`org_id`,`entity_id`,`created_at_ms`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_checks_scan` ON `compliance_checks` (`org_id`,`scan_id`,`target`,`entity_id`) WHERE scan_id IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_checks_event` ON `compliance_checks` (`org_id`,`event_id`) WHERE event_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `compliance_checks_age` ON `compliance_checks` (`created_at_ms`);
--> statement-breakpoint
CREATE TABLE `compliance_check_seals` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`ordinal` integer NOT NULL,
	`from_ms` integer NOT NULL,
	`through_ms` integer NOT NULL,
	`manifest` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_check_seals_ordinal` ON `compliance_check_seals` (`org_id`,`ordinal`);
--> statement-breakpoint
CREATE INDEX `compliance_check_seals_through` ON `compliance_check_seals` (`org_id`,`through_ms`);
--> statement-breakpoint
CREATE TABLE `compliance_entity_states` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`target` text NOT NULL,
	`entity_id` text NOT NULL,
	`event_at_ms` integer NOT NULL,
	`event_id` text NOT NULL,
	`result` text,
	`violated_rule_ids` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_entity_states_entity` ON `compliance_entity_states` (`org_id`,`target`,`entity_id`);
--> statement-breakpoint
CREATE TABLE `compliance_findings` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`target` text NOT NULL,
	`entity_id` text NOT NULL,
	`entity_name` text NOT NULL,
	`entity_name_key` text NOT NULL,
	`key_text` text,
	`any_key_text` text,
	`owner_id` text,
	`rule_id` text NOT NULL,
	`rule_name` text NOT NULL,
	`rule_name_key` text NOT NULL,
	`severity` text NOT NULL,
	`severity_rank` integer NOT NULL,
	`source` text NOT NULL,
	`violation` text NOT NULL,
	`check_id` text NOT NULL,
	`action` text NOT NULL,
	`scan_id` text,
	`first_seen_at_ms` integer NOT NULL,
	`since_ms` integer NOT NULL,
	`last_seen_at_ms` integer NOT NULL,
	`checked_at_ms` integer NOT NULL,
	`fixed_at_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `compliance_findings_entity` ON `compliance_findings` (`org_id`,`target`,`entity_id`,`rule_id`);
--> statement-breakpoint
CREATE INDEX `compliance_findings_seen` ON `compliance_findings` (`org_id`,`last_seen_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_findings_severity` ON `compliance_findings` (`org_id`,`severity_rank`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_findings_rule` ON `compliance_findings` (`org_id`,`rule_id`,`fixed_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_findings_all` ON `compliance_findings` (`org_id`,`id`);
--> statement-breakpoint
CREATE INDEX `compliance_findings_names` ON `compliance_findings` (`org_id`,`entity_name_key`,`target`,`entity_id`);
--> statement-breakpoint
CREATE TABLE `compliance_check_days` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`day_ms` integer NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`label` text,
	`checks` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `compliance_check_days_org` ON `compliance_check_days` (`org_id`,`day_ms`);
--> statement-breakpoint
CREATE INDEX `compliance_check_days_all` ON `compliance_check_days` (`org_id`,`id`);
--> statement-breakpoint
CREATE TABLE `notification_preferences` (
	`org_id` text PRIMARY KEY NOT NULL,
	`notify_on_warning` integer NOT NULL,
	`email_enabled` integer NOT NULL,
	`digest_mode` text NOT NULL,
	`mode_since_ms` integer NOT NULL,
	`last_digest_at_ms` integer,
	`target_users` text,
	`webhook_url` text,
	`sealed_secret` text,
	`revision` integer NOT NULL,
	`updated_by` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `notifications` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`once_key` text NOT NULL,
	`event` text NOT NULL,
	`priority` text NOT NULL,
	`payload` text NOT NULL,
	`related_check_id` text,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_once` ON `notifications` (`org_id`,`once_key`);
--> statement-breakpoint
CREATE INDEX `notifications_check` ON `notifications` (`org_id`,`related_check_id`);
--> statement-breakpoint
CREATE INDEX `notifications_age` ON `notifications` (`created_at_ms`);
--> statement-breakpoint
CREATE TABLE `notification_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`notification_id` text NOT NULL,
	`channel` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`attempts_before` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notification_deliveries_channel` ON `notification_deliveries` (`notification_id`,`channel`);
--> statement-breakpoint
CREATE INDEX `notification_deliveries_state` ON `notification_deliveries` (`org_id`,`channel`,`state`,`id`);
--> statement-breakpoint
CREATE INDEX `notification_deliveries_parked` ON `notification_deliveries` (`channel`,`state`,`org_id`);
--> statement-breakpoint
CREATE INDEX `notification_deliveries_age` ON `notification_deliveries` (`updated_at_ms`);
--> statement-breakpoint
CREATE TABLE `notification_log` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`notification_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`event` text NOT NULL,
	`channel` text NOT NULL,
	`status` text NOT NULL,
	`attempt` integer NOT NULL,
	`response_code` integer,
	`error` text,
	`next_retry_at_ms` integer,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notification_log_attempt` ON `notification_log` (`delivery_id`,`attempt`);
--> statement-breakpoint
CREATE INDEX `notification_log_created` ON `notification_log` (`org_id`,`created_at_ms`,`id`);
--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`recipient_org_id` text NOT NULL,
	`recipient_user_id` text,
	`root_id` text NOT NULL,
	`is_root` integer NOT NULL,
	`thread_org_id` text NOT NULL,
	`thread_recipient_org_id` text NOT NULL,
	`thread_recipient_user_id` text,
	`announcement_id` text,
	`created_by` text NOT NULL,
	`sender_name` text NOT NULL,
	`sender_org_name` text NOT NULL,
	`recipient_org_name` text NOT NULL,
	`message_type` text NOT NULL,
	`channel` text,
	`subject` text NOT NULL,
	`subject_key` text NOT NULL,
	`content` text NOT NULL,
	`priority` integer NOT NULL,
	`reply_count` integer NOT NULL,
	`activity_at_ms` integer NOT NULL,
	`attachment_count` integer NOT NULL,
	`revision` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	`edited_at_ms` integer,
	`deleted_at_ms` integer,
	`deleted_by` text,
	`purge_after_ms` integer,
	`deletion_id` text
);
--> statement-breakpoint
CREATE INDEX `messages_sent` ON `messages` (`thread_org_id`,`is_root`,`activity_at_ms`);
--> statement-breakpoint
CREATE INDEX `messages_received` ON `messages` (`thread_recipient_org_id`,`is_root`,`activity_at_ms`);
--> statement-breakpoint
CREATE INDEX `messages_thread` ON `messages` (`root_id`,`created_at_ms`);
--> statement-breakpoint
CREATE INDEX `messages_org` ON `messages` (`org_id`,`id`);
--> statement-breakpoint
CREATE INDEX `messages_recipient` ON `messages` (`recipient_org_id`,`id`);
--> statement-breakpoint
CREATE INDEX `messages_announcement` ON `messages` (`org_id`,`announcement_id`);
--> statement-breakpoint
CREATE INDEX `messages_author` ON `messages` (`created_by`,`org_id`);
--> statement-breakpoint
CREATE INDEX `messages_purge` ON `messages` (`purge_after_ms`);
--> statement-breakpoint
CREATE TABLE `message_search` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org_id` text NOT NULL,
	`recipient_org_id` text NOT NULL,
	`thread_org_id` text NOT NULL,
	`thread_recipient_org_id` text NOT NULL,
	`entity_id` text NOT NULL,
	`root_id` text NOT NULL,
	`scope` text NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `message_search_entity` ON `message_search` (`entity_id`);
--> statement-breakpoint
CREATE INDEX `message_search_root` ON `message_search` (`root_id`);
--> statement-breakpoint
CREATE INDEX `message_search_org` ON `message_search` (`org_id`);
--> statement-breakpoint
CREATE INDEX `message_search_sent` ON `message_search` (`thread_org_id`,`position`);
--> statement-breakpoint
CREATE INDEX `message_search_received` ON `message_search` (`thread_recipient_org_id`,`position`);
--> statement-breakpoint
CREATE TABLE `message_reads` (
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`message_id` text NOT NULL,
	`read_at_ms` integer NOT NULL,
	PRIMARY KEY(`org_id`, `user_id`, `message_id`)
);
--> statement-breakpoint
CREATE INDEX `message_reads_message` ON `message_reads` (`message_id`);
--> statement-breakpoint
CREATE INDEX `message_reads_user` ON `message_reads` (`user_id`);
--> statement-breakpoint
CREATE TABLE `message_attachments` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`uploaded_by` text NOT NULL,
	`message_id` text,
	`recipient_org_id` text,
	`position` integer NOT NULL,
	`filename` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`blob_key` text NOT NULL,
	`thumbnail_key` text,
	`thumbnail_type` text,
	`thumbnail_bytes` integer NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `message_attachments_message` ON `message_attachments` (`message_id`,`position`);
--> statement-breakpoint
CREATE INDEX `message_attachments_org` ON `message_attachments` (`org_id`,`created_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `message_attachments_uploader` ON `message_attachments` (`uploaded_by`);
--> statement-breakpoint
CREATE INDEX `message_attachments_pending` ON `message_attachments` (`created_at_ms`);
--> statement-breakpoint
CREATE TABLE `message_events` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`message_id` text NOT NULL,
	`root_id` text NOT NULL,
	`org_id` text NOT NULL,
	`recipient_org_id` text NOT NULL,
	`recipient_user_id` text,
	`user_id` text,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `message_events_sent` ON `message_events` (`org_id`,`position`);
--> statement-breakpoint
CREATE INDEX `message_events_received` ON `message_events` (`recipient_org_id`,`position`);
--> statement-breakpoint
CREATE INDEX `message_events_age` ON `message_events` (`created_at_ms`);
--> statement-breakpoint
CREATE INDEX `message_events_user` ON `message_events` (`user_id`);
--> statement-breakpoint
CREATE TABLE `pipelines` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`project` text NOT NULL,
	`organization` text NOT NULL,
	`project_key` text NOT NULL,
	`organization_key` text NOT NULL,
	`pipeline_name` text NOT NULL,
	`name_key` text NOT NULL,
	`description` text NOT NULL,
	`keywords` text NOT NULL,
	`access_modifier` text NOT NULL,
	`is_active` integer NOT NULL,
	`default_key` text,
	`owner_id` text,
	`owner_type` text,
	`lifecycle` text NOT NULL,
	`criticality` text,
	`labels` text NOT NULL,
	`links` text NOT NULL,
	`template_id` text,
	`template_version` integer,
	`compliance_result` text,
	`compliance_checked_at_ms` integer,
	`revision` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`created_by` text NOT NULL,
	`updated_at_ms` integer NOT NULL,
	`updated_by` text NOT NULL,
	`deleted_at_ms` integer,
	`deleted_by` text,
	`purge_after_ms` integer,
	`props` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pipelines_key` ON `pipelines` (`org_id`,`project_key`,`organization_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `pipelines_default` ON `pipelines` (`org_id`,`default_key`);
--> statement-breakpoint
CREATE INDEX `pipelines_all` ON `pipelines` (`org_id`,`id`);
--> statement-breakpoint
CREATE INDEX `pipelines_created` ON `pipelines` (`org_id`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`,`updated_at_ms`,`default_key`);
--> statement-breakpoint
CREATE INDEX `pipelines_defaults` ON `pipelines` (`org_id`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE default_key IS NOT NULL AND deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_updated` ON `pipelines` (`org_id`,`updated_at_ms`,`id`,`is_active`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_active` ON `pipelines` (`org_id`,`is_active`,`created_at_ms`,`id`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_access` ON `pipelines` (`org_id`,`access_modifier`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_project` ON `pipelines` (`org_id`,`project_key`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_organization` ON `pipelines` (`org_id`,`organization_key`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_name` ON `pipelines` (`org_id`,`name_key`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_owner` ON `pipelines` (`org_id`,`owner_id`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_lifecycle` ON `pipelines` (`org_id`,`lifecycle`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_criticality` ON `pipelines` (`org_id`,`criticality`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_template` ON `pipelines` (`org_id`,`template_id`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_by_project` ON `pipelines` (`org_id`,`project_key`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_by_organization` ON `pipelines` (`org_id`,`organization_key`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_by_name` ON `pipelines` (`org_id`,`name_key`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_by_lifecycle` ON `pipelines` (`org_id`,`lifecycle`,`id`,`is_active`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_deleted` ON `pipelines` (`org_id`,`updated_at_ms`,`id`) WHERE deleted_at_ms IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `pipelines_purge` ON `pipelines` (`purge_after_ms`);
--> statement-breakpoint
CREATE TABLE `pipeline_plugins` (
	`pipeline_id` text NOT NULL,
	`org_id` text NOT NULL,
	`is_shared` integer NOT NULL,
	`is_active` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`name` text NOT NULL,
	`version` text NOT NULL,
	`is_first` integer NOT NULL,
	PRIMARY KEY(`org_id`, `pipeline_id`, `name`, `version`)
);
--> statement-breakpoint
CREATE INDEX `pipeline_plugins_name` ON `pipeline_plugins` (`org_id`,`name`,`is_first`,`created_at_ms`,`pipeline_id`,`is_active`,`is_shared`);
--> statement-breakpoint
CREATE TABLE `pipeline_keywords` (
	`pipeline_id` text NOT NULL,
	`org_id` text NOT NULL,
	`is_shared` integer NOT NULL,
	`is_active` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`keyword` text NOT NULL,
	PRIMARY KEY(`org_id`, `pipeline_id`, `keyword`)
);
--> statement-breakpoint
CREATE INDEX `pipeline_keywords_keyword` ON `pipeline_keywords` (`org_id`,`keyword`,`created_at_ms`,`pipeline_id`,`is_active`,`is_shared`);
--> statement-breakpoint
CREATE TABLE `pipeline_labels` (
	`entity_id` text NOT NULL,
	`org_id` text NOT NULL,
	`is_shared` integer NOT NULL,
	`is_active` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`org_id`, `entity_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `pipeline_labels_value` ON `pipeline_labels` (`org_id`,`key`,`value`,`created_at_ms`,`entity_id`,`is_active`,`is_shared`);
--> statement-breakpoint
CREATE TABLE `pipeline_search` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org_id` text NOT NULL,
	`entity_id` text NOT NULL,
	`scope` text NOT NULL,
	`is_shared` integer NOT NULL,
	`is_active` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pipeline_search_entity` ON `pipeline_search` (`org_id`,`entity_id`);
--> statement-breakpoint
CREATE INDEX `pipeline_search_newest` ON `pipeline_search` (`org_id`,`position`);
--> statement-breakpoint
CREATE TABLE `pipeline_revisions` (
	`pipeline_id` text NOT NULL,
	`revision` integer NOT NULL,
	`org_id` text NOT NULL,
	`change` text NOT NULL,
	`changed_at_ms` integer NOT NULL,
	`changed_by` text NOT NULL,
	`record` text NOT NULL,
	PRIMARY KEY(`pipeline_id`, `revision`)
);
--> statement-breakpoint
CREATE INDEX `pipeline_revisions_org` ON `pipeline_revisions` (`org_id`,`pipeline_id`,`revision`);
--> statement-breakpoint
CREATE TABLE `pipeline_registry` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`pipeline_id` text NOT NULL,
	`pipeline_name` text NOT NULL,
	`name_key` text NOT NULL,
	`resource_id` text,
	`resource_hash` text,
	`target` text NOT NULL,
	`region` text,
	`project` text NOT NULL,
	`organization` text NOT NULL,
	`stack_name` text,
	`last_deployed_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pipeline_registry_all` ON `pipeline_registry` (`org_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `pipeline_registry_pipeline` ON `pipeline_registry` (`pipeline_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `pipeline_registry_resource` ON `pipeline_registry` (`org_id`,`resource_hash`);
--> statement-breakpoint
CREATE INDEX `pipeline_registry_deployed` ON `pipeline_registry` (`org_id`,`last_deployed_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `pipeline_registry_by_name` ON `pipeline_registry` (`org_id`,`name_key`,`id`);
--> statement-breakpoint
CREATE TABLE `pipeline_templates` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`live_key` text,
	`description` text NOT NULL,
	`keywords` text NOT NULL,
	`category` text NOT NULL,
	`inputs` text NOT NULL,
	`access_modifier` text NOT NULL,
	`is_active` integer NOT NULL,
	`version` integer NOT NULL,
	`owner_id` text,
	`owner_type` text,
	`lifecycle` text NOT NULL,
	`criticality` text,
	`labels` text NOT NULL,
	`links` text NOT NULL,
	`revision` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`created_by` text NOT NULL,
	`updated_at_ms` integer NOT NULL,
	`updated_by` text NOT NULL,
	`deleted_at_ms` integer,
	`deleted_by` text,
	`purge_after_ms` integer,
	`props` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pipeline_templates_name` ON `pipeline_templates` (`org_id`,`live_key`);
--> statement-breakpoint
CREATE INDEX `pipeline_templates_created` ON `pipeline_templates` (`org_id`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`);
--> statement-breakpoint
CREATE INDEX `pipeline_templates_updated` ON `pipeline_templates` (`org_id`,`updated_at_ms`,`id`,`is_active`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipeline_templates_by_name` ON `pipeline_templates` (`org_id`,`name_key`,`id`,`is_active`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipeline_templates_category` ON `pipeline_templates` (`org_id`,`category`,`created_at_ms`,`id`,`is_active`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipeline_templates_access` ON `pipeline_templates` (`org_id`,`access_modifier`,`created_at_ms`,`id`,`is_active`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipeline_templates_owner` ON `pipeline_templates` (`org_id`,`owner_id`,`created_at_ms`,`id`,`is_active`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipeline_templates_lifecycle` ON `pipeline_templates` (`org_id`,`lifecycle`,`created_at_ms`,`id`,`is_active`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipeline_templates_criticality` ON `pipeline_templates` (`org_id`,`criticality`,`created_at_ms`,`id`,`is_active`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipeline_templates_active` ON `pipeline_templates` (`org_id`,`is_active`,`created_at_ms`,`id`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `pipeline_templates_deleted` ON `pipeline_templates` (`org_id`,`updated_at_ms`,`id`) WHERE deleted_at_ms IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `pipeline_templates_purge` ON `pipeline_templates` (`purge_after_ms`);
--> statement-breakpoint
CREATE TABLE `pipeline_template_keywords` (
	`template_id` text NOT NULL,
	`org_id` text NOT NULL,
	`is_shared` integer NOT NULL,
	`is_active` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`keyword` text NOT NULL,
	PRIMARY KEY(`org_id`, `template_id`, `keyword`)
);
--> statement-breakpoint
CREATE INDEX `pipeline_template_keywords_keyword` ON `pipeline_template_keywords` (`org_id`,`keyword`,`created_at_ms`,`template_id`,`is_active`,`is_shared`);
--> statement-breakpoint
CREATE TABLE `pipeline_template_labels` (
	`entity_id` text NOT NULL,
	`org_id` text NOT NULL,
	`is_shared` integer NOT NULL,
	`is_active` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`org_id`, `entity_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `pipeline_template_labels_value` ON `pipeline_template_labels` (`org_id`,`key`,`value`,`created_at_ms`,`entity_id`,`is_active`,`is_shared`);
--> statement-breakpoint
CREATE TABLE `pipeline_template_search` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org_id` text NOT NULL,
	`entity_id` text NOT NULL,
	`scope` text NOT NULL,
	`is_shared` integer NOT NULL,
	`is_active` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pipeline_template_search_entity` ON `pipeline_template_search` (`org_id`,`entity_id`);
--> statement-breakpoint
CREATE INDEX `pipeline_template_search_newest` ON `pipeline_template_search` (`org_id`,`position`);
--> statement-breakpoint
CREATE TABLE `plugins` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`version` text NOT NULL,
	`version_key` text NOT NULL,
	`description` text,
	`keywords` text NOT NULL,
	`category` text NOT NULL,
	`metadata` text NOT NULL,
	`plugin_type` text NOT NULL,
	`compute_type` text NOT NULL,
	`timeout` integer,
	`failure_behavior` text NOT NULL,
	`secrets` text NOT NULL,
	`primary_output_directory` text,
	`env` text NOT NULL,
	`build_args` text NOT NULL,
	`install_commands` text NOT NULL,
	`commands` text NOT NULL,
	`dockerfile` text,
	`base_image` text,
	`uses_root_user` integer,
	`build_type` text NOT NULL,
	`contract` text NOT NULL,
	`smoke_test` text,
	`image_ref` text,
	`image_digest` text,
	`image_size_bytes` integer,
	`built_image` text,
	`attestations` text,
	`build_status` text NOT NULL,
	`access_modifier` text NOT NULL,
	`is_default` integer NOT NULL,
	`is_latest` integer NOT NULL,
	`is_active` integer NOT NULL,
	`wants_default` integer NOT NULL,
	`owner_id` text,
	`owner_type` text,
	`lifecycle` text NOT NULL,
	`criticality` text,
	`labels` text NOT NULL,
	`links` text NOT NULL,
	`archive_key` text,
	`archive_bytes` integer NOT NULL,
	`archive_sha256` text,
	`revision` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`created_by` text NOT NULL,
	`updated_at_ms` integer NOT NULL,
	`updated_by` text NOT NULL,
	`deleted_at_ms` integer,
	`deleted_by` text,
	`purge_after_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plugins_live_version` ON `plugins` (`org_id`,`name`,`version`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `plugins_default` ON `plugins` (`org_id`,`name`) WHERE is_default AND deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_all` ON `plugins` (`org_id`,`id`);
--> statement-breakpoint
CREATE INDEX `plugins_newest` ON `plugins` (`org_id`,`created_at_ms`,`id`,`is_active`,`version_key`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_changed` ON `plugins` (`org_id`,`updated_at_ms`,`id`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_name` ON `plugins` (`org_id`,`name`,`version_key`,`is_active`,`deleted_at_ms`);
--> statement-breakpoint
CREATE INDEX `plugins_by_category` ON `plugins` (`org_id`,`category`,`id`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_version` ON `plugins` (`org_id`,`version_key`,`id`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_owner` ON `plugins` (`org_id`,`owner_id`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_exact_version` ON `plugins` (`org_id`,`version`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_type` ON `plugins` (`org_id`,`plugin_type`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_compute` ON `plugins` (`org_id`,`compute_type`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_category` ON `plugins` (`org_id`,`category`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_build_type` ON `plugins` (`org_id`,`build_type`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_build_status` ON `plugins` (`org_id`,`build_status`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_access` ON `plugins` (`org_id`,`access_modifier`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_lifecycle` ON `plugins` (`org_id`,`lifecycle`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_criticality` ON `plugins` (`org_id`,`criticality`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_is_default` ON `plugins` (`org_id`,`is_default`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_is_latest` ON `plugins` (`org_id`,`is_latest`,`created_at_ms`,`id`,`is_active`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_active` ON `plugins` (`org_id`,`is_active`,`created_at_ms`,`id`,`deleted_at_ms`) WHERE deleted_at_ms IS NULL;
--> statement-breakpoint
CREATE INDEX `plugins_purge` ON `plugins` (`purge_after_ms`);
--> statement-breakpoint
CREATE INDEX `plugins_image` ON `plugins` (`image_digest`);
--> statement-breakpoint
CREATE TABLE `plugin_keywords` (
	`entity_id` text NOT NULL,
	`org_id` text NOT NULL,
	`is_shared` integer NOT NULL,
	`is_active` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`keyword` text NOT NULL,
	PRIMARY KEY(`org_id`, `entity_id`, `keyword`)
);
--> statement-breakpoint
CREATE INDEX `plugin_keywords_value` ON `plugin_keywords` (`org_id`,`keyword`,`created_at_ms`,`entity_id`,`is_active`,`is_shared`);
--> statement-breakpoint
CREATE TABLE `plugin_labels` (
	`entity_id` text NOT NULL,
	`org_id` text NOT NULL,
	`is_shared` integer NOT NULL,
	`is_active` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`org_id`, `entity_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `plugin_labels_value` ON `plugin_labels` (`org_id`,`key`,`value`,`created_at_ms`,`entity_id`,`is_active`,`is_shared`);
--> statement-breakpoint
CREATE TABLE `plugin_search` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org_id` text NOT NULL,
	`entity_id` text NOT NULL,
	`scope` text NOT NULL,
	`is_shared` integer NOT NULL,
	`is_active` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plugin_search_entity` ON `plugin_search` (`org_id`,`entity_id`);
--> statement-breakpoint
CREATE INDEX `plugin_search_newest` ON `plugin_search` (`org_id`,`position`);
--> statement-breakpoint
CREATE TABLE `build_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`plugin_id` text NOT NULL,
	`plugin_name` text NOT NULL,
	`version` text NOT NULL,
	`build_type` text NOT NULL,
	`archive_key` text NOT NULL,
	`tier` text NOT NULL,
	`state` text NOT NULL,
	`round` integer NOT NULL,
	`attempts` integer NOT NULL,
	`total_attempts` integer NOT NULL,
	`is_exhausted` integer NOT NULL,
	`is_permanent` integer NOT NULL,
	`run_at_ms` integer NOT NULL,
	`started_at_ms` integer,
	`lease_until_ms` integer,
	`secrets_fence` integer NOT NULL,
	`secrets_given` text,
	`fence` integer NOT NULL,
	`worker` text,
	`holder` text,
	`category` text,
	`last_error` text,
	`violations` text,
	`bases` text,
	`phase` text,
	`log_end` integer NOT NULL,
	`log_start` integer NOT NULL,
	`log_bytes` integer NOT NULL,
	`log_tail` text,
	`created_at_ms` integer NOT NULL,
	`created_by` text NOT NULL,
	`failed_at_ms` integer,
	`finished_at_ms` integer
);
--> statement-breakpoint
CREATE INDEX `build_jobs_due` ON `build_jobs` (`state`,`run_at_ms`);
--> statement-breakpoint
CREATE INDEX `build_jobs_org` ON `build_jobs` (`org_id`,`state`,`run_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `build_jobs_failed` ON `build_jobs` (`org_id`,`failed_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `build_jobs_newest` ON `build_jobs` (`org_id`,`created_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `build_jobs_plugin` ON `build_jobs` (`org_id`,`plugin_id`);
--> statement-breakpoint
CREATE INDEX `build_jobs_finished` ON `build_jobs` (`finished_at_ms`);
--> statement-breakpoint
CREATE TABLE `build_logs` (
	`job_id` text NOT NULL,
	`org_id` text NOT NULL,
	`place` integer NOT NULL,
	`chars` integer NOT NULL,
	`attempt` integer NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`job_id`, `place`)
);
--> statement-breakpoint
CREATE INDEX `build_logs_org` ON `build_logs` (`org_id`,`job_id`);
--> statement-breakpoint
CREATE TABLE `build_turns` (
	`org_id` text PRIMARY KEY NOT NULL,
	`pass` integer NOT NULL,
	`last_start` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `builders` (
	`name` text PRIMARY KEY NOT NULL,
	`seen_at_ms` integer NOT NULL,
	`version` text,
	`capabilities` text,
	`fault` text,
	`fault_message` text,
	`fault_at_ms` integer
);
--> statement-breakpoint
CREATE TABLE `registry_repositories` (
	`name` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`is_shared` integer NOT NULL,
	`images` integer NOT NULL,
	`tags` integer NOT NULL,
	`bytes` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	`reading` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `registry_repositories_org` ON `registry_repositories` (`org_id`,`name`);
--> statement-breakpoint
CREATE INDEX `registry_repositories_newest` ON `registry_repositories` (`org_id`,`created_at_ms`,`name`);
--> statement-breakpoint
CREATE TABLE `registry_images` (
	`repository` text NOT NULL,
	`digest` text NOT NULL,
	`org_id` text NOT NULL,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`children` text NOT NULL,
	`pushed_by` text,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`repository`, `digest`)
);
--> statement-breakpoint
CREATE INDEX `registry_images_org` ON `registry_images` (`org_id`,`repository`);
--> statement-breakpoint
CREATE INDEX `registry_images_digest` ON `registry_images` (`digest`);
--> statement-breakpoint
CREATE TABLE `registry_tags` (
	`repository` text NOT NULL,
	`tag` text NOT NULL,
	`org_id` text NOT NULL,
	`is_shared` integer NOT NULL,
	`digest` text NOT NULL,
	`bytes` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`repository`, `tag`)
);
--> statement-breakpoint
CREATE INDEX `registry_tags_org` ON `registry_tags` (`org_id`,`repository`,`tag`);
--> statement-breakpoint
CREATE INDEX `registry_tags_newest` ON `registry_tags` (`repository`,`created_at_ms`,`tag`);
--> statement-breakpoint
CREATE TABLE `registry_blobs` (
	`repository` text NOT NULL,
	`image` text NOT NULL,
	`digest` text NOT NULL,
	`org_id` text NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`repository`, `image`, `digest`)
);
--> statement-breakpoint
CREATE INDEX `registry_blobs_org` ON `registry_blobs` (`org_id`,`digest`,`bytes`);
--> statement-breakpoint
CREATE TABLE `registry_events` (
	`id` text PRIMARY KEY NOT NULL,
	`seen_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `registry_events_seen` ON `registry_events` (`seen_at_ms`);
--> statement-breakpoint
CREATE TABLE `registry_holds` (
	`id` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `billing_alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`threshold_cents` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `billing_alerts_time` ON `billing_alerts` (`org_id`,`created_at_ms`,`id`);
--> statement-breakpoint
CREATE TABLE `billing_alert_firings` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`alert_id` text NOT NULL,
	`period_start_ms` integer NOT NULL,
	`cents` integer NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_alert_firings_once` ON `billing_alert_firings` (`alert_id`,`period_start_ms`);
--> statement-breakpoint
CREATE INDEX `billing_alert_firings_org` ON `billing_alert_firings` (`org_id`,`id`);
--> statement-breakpoint
CREATE TABLE `billing_accounts` (
	`org_id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`version` integer NOT NULL,
	`clock_id` text,
	`trial_used_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `billing_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`plan_id` text NOT NULL,
	`interval` text NOT NULL,
	`status` text NOT NULL,
	`period_anchor_ms` integer NOT NULL,
	`current_period_start_ms` integer NOT NULL,
	`current_period_end_ms` integer NOT NULL,
	`cancel_at_period_end` integer NOT NULL,
	`canceled_at_ms` integer,
	`addons` text NOT NULL,
	`recurring_discount` text,
	`failed_payment_attempts` integer NOT NULL,
	`counted_failures` text NOT NULL,
	`first_failed_at_ms` integer,
	`grace_ends_at_ms` integer,
	`grace_downgraded_at_ms` integer,
	`reversal` text,
	`pending_change` text,
	`last_granted_period_start_ms` integer,
	`told_through_ms` integer,
	`begun_at_ms` integer,
	`is_first` integer NOT NULL,
	`balance_cents` integer NOT NULL,
	`last_seq` integer NOT NULL,
	`ledger_hash` text NOT NULL,
	`sealed_seq` integer NOT NULL,
	`pending_rows` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_subscriptions_live` ON `billing_subscriptions` (`org_id`) WHERE status IN ('active', 'trialing', 'past_due');
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_subscriptions_incomplete` ON `billing_subscriptions` (`org_id`) WHERE status = 'incomplete';
--> statement-breakpoint
CREATE INDEX `billing_subscriptions_org` ON `billing_subscriptions` (`org_id`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_subscriptions_time` ON `billing_subscriptions` (`created_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_subscriptions_unsealed` ON `billing_subscriptions` (`id`) WHERE last_seq > sealed_seq;
--> statement-breakpoint
CREATE INDEX `billing_subscriptions_due` ON `billing_subscriptions` (`status`,`current_period_end_ms`);
--> statement-breakpoint
CREATE INDEX `billing_subscriptions_state` ON `billing_subscriptions` (`status`,`id`);
--> statement-breakpoint
CREATE TABLE `billing_period_rolls` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`period_start_ms` integer NOT NULL,
	`invoice_id` text,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_period_rolls_once` ON `billing_period_rolls` (`subscription_id`,`period_start_ms`);
--> statement-breakpoint
CREATE INDEX `billing_period_rolls_org` ON `billing_period_rolls` (`org_id`,`id`);
--> statement-breakpoint
CREATE TABLE `billing_credit_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`seq` integer NOT NULL,
	`type` text NOT NULL,
	`source_id` text NOT NULL,
	`cents` integer NOT NULL,
	`remaining_cents` integer NOT NULL,
	`reversed_cents` integer NOT NULL,
	`state` text NOT NULL,
	`dedupe_key` text NOT NULL,
	`granted_at_ms` integer NOT NULL,
	`fulfillment_ref` text,
	`actor_id` text,
	`details` text,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_credit_entries_key` ON `billing_credit_entries` (`org_id`,`dedupe_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_credit_entries_seq` ON `billing_credit_entries` (`subscription_id`,`seq`);
--> statement-breakpoint
CREATE INDEX `billing_credit_entries_open` ON `billing_credit_entries` (`subscription_id`,`id`) WHERE remaining_cents > 0;
--> statement-breakpoint
CREATE INDEX `billing_credit_entries_org` ON `billing_credit_entries` (`org_id`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_credit_entries_time` ON `billing_credit_entries` (`org_id`,`granted_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_credit_entries_actor` ON `billing_credit_entries` (`actor_id`);
--> statement-breakpoint
CREATE TABLE `billing_events` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`subscription_id` text,
	`type` text NOT NULL,
	`actor_id` text,
	`details` text NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `billing_events_time` ON `billing_events` (`org_id`,`created_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_events_type` ON `billing_events` (`org_id`,`type`,`created_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_events_all` ON `billing_events` (`created_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_events_actor` ON `billing_events` (`actor_id`);
--> statement-breakpoint
CREATE TABLE `billing_invoices` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`source` text NOT NULL,
	`external_id` text NOT NULL,
	`period_start_ms` integer,
	`period_end_ms` integer,
	`lines` text NOT NULL,
	`subtotal_cents` integer NOT NULL,
	`credit_cents` integer NOT NULL,
	`carried_cents` integer NOT NULL,
	`tax_cents` integer NOT NULL,
	`total_cents` integer NOT NULL,
	`amount_paid_cents` integer NOT NULL,
	`status` text NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_invoices_external` ON `billing_invoices` (`source`,`external_id`);
--> statement-breakpoint
CREATE INDEX `billing_invoices_time` ON `billing_invoices` (`org_id`,`created_at_ms`,`id`);
--> statement-breakpoint
CREATE TABLE `billing_clocks` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`now_ms` integer NOT NULL,
	`fail_from_ms` integer,
	`fail_until_ms` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_clocks_org` ON `billing_clocks` (`org_id`);
--> statement-breakpoint
CREATE INDEX `billing_clocks_time` ON `billing_clocks` (`org_id`,`created_at_ms`,`id`);
--> statement-breakpoint
CREATE TABLE `billing_entitlement_drift` (
	`org_id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`differs` text NOT NULL,
	`is_repaired` integer NOT NULL,
	`found_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `billing_discounts` (
	`id` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL,
	`unit` text NOT NULL,
	`kind` text NOT NULL,
	`campaign` text,
	`alias` text,
	`target_org_id` text,
	`max_redemptions` integer,
	`times_redeemed` integer NOT NULL,
	`redeem_by_ms` integer,
	`applies_to_tiers` text,
	`is_active` integer NOT NULL,
	`sandbox` integer NOT NULL,
	`created_by` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_discounts_alias` ON `billing_discounts` (`alias`);
--> statement-breakpoint
CREATE INDEX `billing_discounts_time` ON `billing_discounts` (`created_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_discounts_creator` ON `billing_discounts` (`created_by`);
--> statement-breakpoint
CREATE TABLE `billing_redemptions` (
	`id` text PRIMARY KEY NOT NULL,
	`discount_id` text NOT NULL,
	`org_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_redemptions_once` ON `billing_redemptions` (`discount_id`,`org_id`);
--> statement-breakpoint
CREATE INDEX `billing_redemptions_org` ON `billing_redemptions` (`org_id`,`id`);
--> statement-breakpoint
CREATE TABLE `billing_promotions` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`campaign` text,
	`trigger_type` text NOT NULL,
	`conditions` text NOT NULL,
	`value` integer NOT NULL,
	`unit` text NOT NULL,
	`kind` text NOT NULL,
	`referrer_value` integer,
	`starts_at_ms` integer,
	`ends_at_ms` integer,
	`budget_cents` integer NOT NULL,
	`spent_cents` integer NOT NULL,
	`grants_count` integer NOT NULL,
	`per_org_cap_cents` integer,
	`max_grants` integer,
	`is_active` integer NOT NULL,
	`activated_at_ms` integer,
	`failed_accounts` integer NOT NULL,
	`sandbox` integer NOT NULL,
	`created_by` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `billing_promotions_time` ON `billing_promotions` (`created_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_promotions_creator` ON `billing_promotions` (`created_by`);
--> statement-breakpoint
CREATE TABLE `billing_promotion_closed` (
	`promotion_id` text PRIMARY KEY NOT NULL,
	`spent_cents` integer NOT NULL,
	`grants_count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `billing_referrals` (
	`id` text PRIMARY KEY NOT NULL,
	`promotion_id` text NOT NULL,
	`referrer_org_id` text NOT NULL,
	`referee_org_id` text NOT NULL,
	`referee_grant_cents` integer NOT NULL,
	`referrer_grant_cents` integer NOT NULL,
	`status` text NOT NULL,
	`paid_cents` integer,
	`qualified_at_ms` integer,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_referrals_referee` ON `billing_referrals` (`referee_org_id`);
--> statement-breakpoint
CREATE INDEX `billing_referrals_due` ON `billing_referrals` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_referrals_referrer` ON `billing_referrals` (`referrer_org_id`,`id`);
--> statement-breakpoint
CREATE TABLE `billing_provider_customers` (
	`org_id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`customer_id` text NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_provider_customers_external` ON `billing_provider_customers` (`provider`,`customer_id`);
--> statement-breakpoint
CREATE TABLE `billing_provider_links` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`provider` text NOT NULL,
	`external_id` text,
	`seen_at_ms` integer NOT NULL,
	`is_ended` integer NOT NULL,
	`cancel_unconfirmed` integer NOT NULL,
	`is_period_held` integer NOT NULL,
	`payment_url` text,
	`paid_period_start_ms` integer,
	`announced_period_start_ms` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_provider_links_external` ON `billing_provider_links` (`provider`,`external_id`);
--> statement-breakpoint
CREATE INDEX `billing_provider_links_org` ON `billing_provider_links` (`org_id`,`id`);
--> statement-breakpoint
CREATE TABLE `billing_provider_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`kind` text NOT NULL,
	`wish` text NOT NULL,
	`version` integer NOT NULL,
	`idem_key` text NOT NULL,
	`key_number` integer NOT NULL,
	`client_key` text,
	`state` text NOT NULL,
	`fence` integer NOT NULL,
	`lease_until_ms` integer NOT NULL,
	`attempts` integer NOT NULL,
	`first_sent_at_ms` integer,
	`next_at_ms` integer NOT NULL,
	`answer` text,
	`actor_id` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_provider_calls_key` ON `billing_provider_calls` (`idem_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_provider_calls_client` ON `billing_provider_calls` (`org_id`,`client_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_provider_calls_open` ON `billing_provider_calls` (`subscription_id`) WHERE state IN ('queued', 'sent', 'unknown');
--> statement-breakpoint
CREATE INDEX `billing_provider_calls_due` ON `billing_provider_calls` (`state`,`next_at_ms`);
--> statement-breakpoint
CREATE INDEX `billing_provider_calls_time` ON `billing_provider_calls` (`created_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_provider_calls_org` ON `billing_provider_calls` (`org_id`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_provider_calls_actor` ON `billing_provider_calls` (`actor_id`);
--> statement-breakpoint
CREATE TABLE `billing_webhook_events` (
	`id` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`event_id` text NOT NULL,
	`type` text NOT NULL,
	`object_id` text NOT NULL,
	`state` text NOT NULL,
	`effect` text,
	`fence` integer NOT NULL,
	`lease_until_ms` integer NOT NULL,
	`attempts` integer NOT NULL,
	`next_at_ms` integer NOT NULL,
	`payload` text,
	`sent_at_ms` integer NOT NULL,
	`received_at_ms` integer NOT NULL,
	`done_at_ms` integer
);
--> statement-breakpoint
CREATE INDEX `billing_webhook_events_object` ON `billing_webhook_events` (`source`,`object_id`);
--> statement-breakpoint
CREATE INDEX `billing_webhook_events_due` ON `billing_webhook_events` (`state`,`next_at_ms`);
--> statement-breakpoint
CREATE INDEX `billing_webhook_events_time` ON `billing_webhook_events` (`received_at_ms`,`id`);
--> statement-breakpoint
CREATE TABLE `billing_provider_cursors` (
	`provider` text PRIMARY KEY NOT NULL,
	`events_until_ms` integer NOT NULL,
	`compared_id` text NOT NULL,
	`drift` text NOT NULL,
	`finished_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `billing_kept_invoices` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`customer_name` text NOT NULL,
	`subscription_id` text NOT NULL,
	`source` text NOT NULL,
	`external_id` text NOT NULL,
	`period_start_ms` integer,
	`period_end_ms` integer,
	`lines` text NOT NULL,
	`subtotal_cents` integer NOT NULL,
	`credit_cents` integer NOT NULL,
	`carried_cents` integer NOT NULL,
	`tax_cents` integer NOT NULL,
	`total_cents` integer NOT NULL,
	`amount_paid_cents` integer NOT NULL,
	`status` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`closed_at_ms` integer NOT NULL,
	`kept_until_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `billing_kept_invoices_account` ON `billing_kept_invoices` (`account_id`,`created_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_kept_invoices_time` ON `billing_kept_invoices` (`created_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_kept_invoices_due` ON `billing_kept_invoices` (`kept_until_ms`);
--> statement-breakpoint
CREATE TABLE `billing_marketplace_customers` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`subscription_id` text,
	`product_code` text NOT NULL,
	`customer_key` text NOT NULL,
	`customer_identifier` text,
	`license_arn` text,
	`buyer_account` text,
	`entitlements` text NOT NULL,
	`entitlements_at_ms` integer NOT NULL,
	`notice_at_ms` integer NOT NULL,
	`claim_hash` text,
	`claim_expires_at_ms` integer,
	`claimed_at_ms` integer,
	`not_subscribed_at_ms` integer,
	`metered_from_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_marketplace_customers_key` ON `billing_marketplace_customers` (`customer_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_marketplace_customers_claim` ON `billing_marketplace_customers` (`claim_hash`);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_marketplace_customers_subscription` ON `billing_marketplace_customers` (`subscription_id`);
--> statement-breakpoint
CREATE INDEX `billing_marketplace_customers_org` ON `billing_marketplace_customers` (`org_id`,`id`);
--> statement-breakpoint
CREATE TABLE `billing_metering_hours` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`hour` text NOT NULL,
	`period_start_ms` integer NOT NULL,
	`plan` text NOT NULL,
	`outstanding` text NOT NULL,
	`refused` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`ended_at_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_metering_hours_once` ON `billing_metering_hours` (`customer_id`,`hour`);
--> statement-breakpoint
CREATE INDEX `billing_metering_hours_open` ON `billing_metering_hours` (`hour`,`id`) WHERE status = 'open';
--> statement-breakpoint
CREATE INDEX `billing_metering_hours_period` ON `billing_metering_hours` (`customer_id`,`period_start_ms`);
--> statement-breakpoint
CREATE INDEX `billing_metering_hours_org` ON `billing_metering_hours` (`org_id`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_metering_hours_ended` ON `billing_metering_hours` (`ended_at_ms`);
--> statement-breakpoint
CREATE TABLE `billing_credit_holds` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`key` text NOT NULL,
	`cents` integer NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_credit_holds_key` ON `billing_credit_holds` (`org_id`,`key`);
--> statement-breakpoint
CREATE INDEX `billing_credit_holds_org` ON `billing_credit_holds` (`org_id`,`id`);
--> statement-breakpoint
CREATE TABLE `report_retention` (
	`org_id` text PRIMARY KEY NOT NULL,
	`root_org_id` text NOT NULL,
	`event_days` integer NOT NULL,
	`fact_days` integer NOT NULL,
	`later_event_days` integer,
	`later_fact_days` integer,
	`later_from_ms` integer,
	`watermark_ms` integer NOT NULL,
	`updated_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `report_sources` (
	`org_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`format` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`sealed_previous` text,
	`previous_until_ms` integer,
	`hint` text NOT NULL,
	`mapping` text NOT NULL,
	`is_enabled` integer NOT NULL,
	`created_ms` integer NOT NULL,
	`updated_ms` integer NOT NULL,
	PRIMARY KEY(`org_id`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `report_sources_id` ON `report_sources` (`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `report_sources_name` ON `report_sources` (`org_id`,`name`);
--> statement-breakpoint
CREATE TABLE `report_deliveries` (
	`org_id` text NOT NULL,
	`source_id` text NOT NULL,
	`id` text NOT NULL,
	`type` text NOT NULL,
	`sender_id` text,
	`received_ms` integer NOT NULL,
	`inserted` integer NOT NULL,
	`duplicates` integer NOT NULL,
	`skipped` integer NOT NULL,
	`parked` integer NOT NULL,
	`commits` integer NOT NULL,
	`incidents` integer NOT NULL,
	`parked_refs` text NOT NULL,
	`note` text,
	PRIMARY KEY(`org_id`, `source_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `report_deliveries_received` ON `report_deliveries` (`org_id`,`source_id`,`received_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `report_deliveries_old` ON `report_deliveries` (`received_ms`);
--> statement-breakpoint
CREATE TABLE `report_builds` (
	`org_id` text NOT NULL,
	`job_id` text NOT NULL,
	`plugin_id` text NOT NULL,
	`plugin_name` text NOT NULL,
	`version` text NOT NULL,
	`build_type` text NOT NULL,
	`is_succeeded` integer NOT NULL,
	`category` text,
	`error` text,
	`attempts` integer NOT NULL,
	`duration_ms` integer,
	`finished_ms` integer NOT NULL,
	PRIMARY KEY(`org_id`, `job_id`)
);
--> statement-breakpoint
CREATE INDEX `report_builds_finished` ON `report_builds` (`org_id`,`finished_ms`);
--> statement-breakpoint
CREATE INDEX `report_builds_old` ON `report_builds` (`finished_ms`);
--> statement-breakpoint
CREATE TABLE `report_outcomes` (
	`org_id` text NOT NULL,
	`pipeline_id` text NOT NULL,
	`execution_id` text NOT NULL,
	`environment` text NOT NULL,
	`outcome` text NOT NULL,
	`at_ms` integer NOT NULL,
	`note` text,
	`marked_by` text,
	`created_ms` integer NOT NULL,
	PRIMARY KEY(`org_id`, `pipeline_id`, `execution_id`, `environment`, `outcome`)
);
--> statement-breakpoint
CREATE INDEX `report_outcomes_execution` ON `report_outcomes` (`org_id`,`execution_id`);
--> statement-breakpoint
CREATE TABLE `report_incidents` (
	`org_id` text NOT NULL,
	`incident_id` text NOT NULL,
	`environment` text NOT NULL,
	`opened_ms` integer NOT NULL,
	`resolved_ms` integer,
	`reopened_ms` integer,
	`severity` text NOT NULL,
	`title` text,
	`url` text,
	`pipeline_id` text,
	`sha` text,
	`updated_ms` integer NOT NULL,
	PRIMARY KEY(`org_id`, `incident_id`)
);
--> statement-breakpoint
CREATE INDEX `report_incidents_opened` ON `report_incidents` (`org_id`,`environment`,`opened_ms`);
--> statement-breakpoint
CREATE TABLE `report_links` (
	`org_id` text NOT NULL,
	`incident_id` text NOT NULL,
	`pipeline_id` text NOT NULL,
	`execution_id` text NOT NULL,
	`linked_by` text,
	`linked_ms` integer NOT NULL,
	PRIMARY KEY(`org_id`, `incident_id`)
);
--> statement-breakpoint
CREATE TABLE `report_settings` (
	`org_id` text PRIMARY KEY NOT NULL,
	`settings` text NOT NULL,
	`updated_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `report_daily_runs` (
	`org_id` text NOT NULL,
	`pipeline_id` text NOT NULL,
	`part` text NOT NULL,
	`day_ms` integer NOT NULL,
	`succeeded` integer NOT NULL,
	`failed` integer NOT NULL,
	`canceled` integer NOT NULL,
	`open` integer NOT NULL,
	`first_ms` integer NOT NULL,
	`last_ms` integer NOT NULL,
	`timed` integer NOT NULL,
	`sum_ms` integer NOT NULL,
	`min_ms` integer,
	`max_ms` integer,
	`bins` text NOT NULL,
	PRIMARY KEY(`org_id`, `pipeline_id`, `part`, `day_ms`)
);
--> statement-breakpoint
CREATE INDEX `report_daily_runs_day` ON `report_daily_runs` (`org_id`,`part`,`day_ms`);
--> statement-breakpoint
CREATE TABLE `report_daily_deployments` (
	`org_id` text NOT NULL,
	`pipeline_id` text NOT NULL,
	`day_ms` integer NOT NULL,
	`environment` text NOT NULL,
	`succeeded` integer NOT NULL,
	`failed` integer NOT NULL,
	`canceled` integer NOT NULL,
	`rework` integer NOT NULL,
	`undated` integer NOT NULL,
	`production` integer NOT NULL,
	`first_ms` integer NOT NULL,
	`leads` integer NOT NULL,
	`lead_sum_ms` integer NOT NULL,
	`repairs` integer NOT NULL,
	`repair_sum_ms` integer NOT NULL,
	`lead_bins` text,
	`repair_bins` text,
	`repair_values` text,
	`lead_values` text,
	PRIMARY KEY(`org_id`, `pipeline_id`, `day_ms`, `environment`)
);
--> statement-breakpoint
CREATE INDEX `report_daily_deployments_day` ON `report_daily_deployments` (`org_id`,`day_ms`);
--> statement-breakpoint
CREATE INDEX `report_daily_deployments_known` ON `report_daily_deployments` (`org_id`,`pipeline_id`,`environment`,`day_ms`,`production`,`first_ms`);
--> statement-breakpoint
CREATE TABLE `report_dirty` (
	`org_id` text NOT NULL,
	`day_ms` integer NOT NULL,
	`pipeline_id` text NOT NULL,
	PRIMARY KEY(`org_id`, `day_ms`, `pipeline_id`)
);
--> statement-breakpoint
CREATE TABLE `report_events` (
	`org_id` text NOT NULL,
	`pipeline_id` text NOT NULL,
	`execution_id` text NOT NULL,
	`key` text NOT NULL,
	`hash` text NOT NULL,
	`occurred_ms` integer NOT NULL,
	`received_ms` integer NOT NULL,
	`event` text NOT NULL,
	PRIMARY KEY(`org_id`, `pipeline_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `report_events_occurred` ON `report_events` (`org_id`,`occurred_ms`);
--> statement-breakpoint
CREATE INDEX `report_events_received` ON `report_events` (`org_id`,`received_ms`);
--> statement-breakpoint
CREATE INDEX `report_events_execution` ON `report_events` (`org_id`,`pipeline_id`,`execution_id`);
--> statement-breakpoint
CREATE TABLE `report_executions` (
	`org_id` text NOT NULL,
	`pipeline_id` text NOT NULL,
	`execution_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`status` text NOT NULL,
	`started_ms` integer NOT NULL,
	`completed_ms` integer,
	`duration_ms` integer,
	`sha` text,
	`ref` text,
	`committed_ms` integer,
	`error` text,
	PRIMARY KEY(`org_id`, `pipeline_id`, `execution_id`)
);
--> statement-breakpoint
CREATE INDEX `report_executions_started` ON `report_executions` (`org_id`,`started_ms`,`pipeline_id`,`status`,`duration_ms`);
--> statement-breakpoint
CREATE INDEX `report_executions_pipeline` ON `report_executions` (`org_id`,`pipeline_id`,`started_ms`);
--> statement-breakpoint
CREATE TABLE `report_steps` (
	`org_id` text NOT NULL,
	`pipeline_id` text NOT NULL,
	`execution_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`stage` text NOT NULL,
	`action` text NOT NULL,
	`status` text NOT NULL,
	`started_ms` integer NOT NULL,
	`duration_ms` integer,
	`error` text,
	`fold` text NOT NULL,
	PRIMARY KEY(`org_id`, `pipeline_id`, `execution_id`, `attempt`, `stage`, `action`)
);
--> statement-breakpoint
CREATE INDEX `report_steps_pipeline` ON `report_steps` (`org_id`,`pipeline_id`,`started_ms`);
--> statement-breakpoint
CREATE INDEX `report_steps_started` ON `report_steps` (`org_id`,`started_ms`);
--> statement-breakpoint
CREATE TABLE `report_swept_runs` (
	`org_id` text NOT NULL,
	`pipeline_id` text NOT NULL,
	`execution_id` text NOT NULL,
	`status` text NOT NULL,
	`started_ms` integer NOT NULL,
	`duration_ms` integer,
	`steps` text NOT NULL,
	PRIMARY KEY(`org_id`, `pipeline_id`, `execution_id`)
);
--> statement-breakpoint
CREATE INDEX `report_swept_runs_pipeline` ON `report_swept_runs` (`org_id`,`pipeline_id`,`started_ms`);
--> statement-breakpoint
CREATE INDEX `report_swept_runs_started` ON `report_swept_runs` (`org_id`,`started_ms`);
--> statement-breakpoint
CREATE TABLE `report_deployments` (
	`org_id` text NOT NULL,
	`pipeline_id` text NOT NULL,
	`execution_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`environment` text NOT NULL,
	`tier` text,
	`status` text NOT NULL,
	`started_ms` integer NOT NULL,
	`completed_ms` integer,
	`sha` text,
	`ref` text,
	`committed_ms` integer,
	`is_rollback` integer NOT NULL,
	`is_rework` integer NOT NULL,
	PRIMARY KEY(`org_id`, `pipeline_id`, `execution_id`, `attempt`, `environment`)
);
--> statement-breakpoint
CREATE INDEX `report_deployments_completed` ON `report_deployments` (`org_id`,`environment`,`completed_ms`);
--> statement-breakpoint
CREATE INDEX `report_deployments_ended` ON `report_deployments` (`org_id`,`completed_ms`);
--> statement-breakpoint
CREATE INDEX `report_deployments_lane` ON `report_deployments` (`org_id`,`pipeline_id`,`environment`,`completed_ms`,`status`);
--> statement-breakpoint
CREATE INDEX `report_deployments_started` ON `report_deployments` (`org_id`,`started_ms`);
--> statement-breakpoint
CREATE INDEX `report_deployments_sha` ON `report_deployments` (`org_id`,`sha`,`pipeline_id`,`environment`);
--> statement-breakpoint
CREATE TABLE `report_commits` (
	`org_id` text NOT NULL,
	`sha` text NOT NULL,
	`committed_ms` integer NOT NULL,
	PRIMARY KEY(`org_id`, `sha`)
);
--> statement-breakpoint
CREATE TABLE `report_parked` (
	`org_id` text NOT NULL,
	`pipeline_ref` text NOT NULL,
	`source_id` text NOT NULL,
	`key` text NOT NULL,
	`hash` text NOT NULL,
	`received_ms` integer NOT NULL,
	`event` text NOT NULL,
	PRIMARY KEY(`org_id`, `pipeline_ref`, `source_id`, `key`, `hash`)
);
--> statement-breakpoint
CREATE INDEX `report_parked_received` ON `report_parked` (`org_id`,`received_ms`);
--> statement-breakpoint
CREATE INDEX `report_parked_old` ON `report_parked` (`received_ms`);
--> statement-breakpoint
CREATE TABLE `report_skips` (
	`org_id` text NOT NULL,
	`day_ms` integer NOT NULL,
	`reason` text NOT NULL,
	`items` integer NOT NULL,
	PRIMARY KEY(`org_id`, `day_ms`, `reason`)
);
--> statement-breakpoint
CREATE TABLE `report_health` (
	`org_id` text NOT NULL,
	`client` text NOT NULL,
	`instance` text NOT NULL,
	`forwarded` integer NOT NULL,
	`dropped` integer NOT NULL,
	`forwarded_before` integer NOT NULL,
	`dropped_before` integer NOT NULL,
	`restarts` integer NOT NULL,
	`last_event_ms` integer,
	`last_dropped_ms` integer,
	`updated_ms` integer NOT NULL,
	PRIMARY KEY(`org_id`, `client`, `instance`)
);
--> statement-breakpoint
CREATE TABLE `ai_keys` (
	`org_id` text NOT NULL,
	`provider` text NOT NULL,
	`sealed` text NOT NULL,
	`hint` text NOT NULL,
	`updated_by` text NOT NULL,
	`updated_at_ms` integer NOT NULL,
	PRIMARY KEY(`org_id`, `provider`)
);
--> statement-breakpoint
CREATE TABLE `ai_settings` (
	`org_id` text PRIMARY KEY NOT NULL,
	`monthly_tokens` integer,
	`monthly_micro_usd` integer,
	`previews` integer NOT NULL,
	`share_rules` integer NOT NULL,
	`keep_prompts` integer NOT NULL,
	`revision` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ai_spend` (
	`org_id` text NOT NULL,
	`month` text NOT NULL,
	`held_tokens` integer NOT NULL,
	`spent_tokens` integer NOT NULL,
	`held_micro_usd` integer NOT NULL,
	`spent_micro_usd` integer NOT NULL,
	PRIMARY KEY(`org_id`, `month`)
);
--> statement-breakpoint
CREATE TABLE `ai_generations` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`root_org_id` text NOT NULL,
	`user_id` text,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`lease_until_ms` integer NOT NULL,
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`key_source` text NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cost_micro_usd` integer NOT NULL,
	`held_tokens` integer NOT NULL,
	`held_micro_usd` integer NOT NULL,
	`held_month` text,
	`rounds` integer NOT NULL,
	`verdict` text,
	`error_code` text,
	`prompt_hash` text NOT NULL,
	`prompt` text,
	`result` text,
	`created_at_ms` integer NOT NULL,
	`finished_at_ms` integer
);
--> statement-breakpoint
CREATE INDEX `ai_generations_created` ON `ai_generations` (`org_id`,`created_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `ai_generations_lease` ON `ai_generations` (`state`,`lease_until_ms`);
--> statement-breakpoint
CREATE INDEX `ai_generations_age` ON `ai_generations` (`created_at_ms`);
--> statement-breakpoint
CREATE TABLE `identity_providers` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`is_default` integer NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text NOT NULL,
	`sealed_secret` text,
	`alg` text NOT NULL,
	`scopes` text NOT NULL,
	`groups_claim` text,
	`enabled` integer NOT NULL,
	`jit` integer NOT NULL,
	`trust_email` integer NOT NULL,
	`amr` text NOT NULL,
	`session_hours` integer NOT NULL,
	`default_role_ids` text NOT NULL,
	`revision` integer NOT NULL,
	`groups_revision` integer NOT NULL,
	`tested_by` text,
	`tested_at_ms` integer,
	`tested_revision` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identity_providers_name` ON `identity_providers` (`org_id`,`name_key`);
--> statement-breakpoint
CREATE TABLE `idp_domains` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`domain` text NOT NULL,
	`held_domain` text,
	`token` text NOT NULL,
	`verified_at_ms` integer,
	`checked_at_ms` integer,
	`missing_since_ms` integer,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `idp_domains_name` ON `idp_domains` (`org_id`,`domain`);
--> statement-breakpoint
CREATE UNIQUE INDEX `idp_domains_held` ON `idp_domains` (`held_domain`);
--> statement-breakpoint
CREATE INDEX `idp_domains_checked` ON `idp_domains` (`checked_at_ms`);
--> statement-breakpoint
CREATE TABLE `identity_links` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`last_used_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identity_links_subject` ON `identity_links` (`provider_id`,`issuer`,`subject`);
--> statement-breakpoint
CREATE UNIQUE INDEX `identity_links_user` ON `identity_links` (`provider_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX `identity_links_org` ON `identity_links` (`org_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX `identity_links_person` ON `identity_links` (`user_id`);
--> statement-breakpoint
CREATE TABLE `auth_flows` (
	`state_hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`org_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`revision` integer NOT NULL,
	`nonce` text NOT NULL,
	`sealed_verifier` text NOT NULL,
	`browser_hash` text NOT NULL,
	`user_id` text,
	`session_id` text,
	`action` text,
	`return_to` text NOT NULL,
	`loopback` text,
	`challenge` text,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `auth_flows_expiry` ON `auth_flows` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `auth_flows_org` ON `auth_flows` (`org_id`);
--> statement-breakpoint
CREATE TABLE `auth_grants` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`org_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`revision` integer NOT NULL,
	`user_id` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`sid` text,
	`groups` text,
	`bound_hash` text NOT NULL,
	`return_to` text NOT NULL,
	`expires_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `auth_grants_expiry` ON `auth_grants` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `auth_grants_org` ON `auth_grants` (`org_id`);
--> statement-breakpoint
CREATE TABLE `social_flows` (
	`state_hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`provider` text NOT NULL,
	`nonce` text NOT NULL,
	`sealed_verifier` text NOT NULL,
	`bound_hash` text NOT NULL,
	`user_id` text,
	`session_id` text,
	`action` text,
	`sealed_invitation` text,
	`return_to` text NOT NULL,
	`loopback` text,
	`challenge` text,
	`expires_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `social_flows_expiry` ON `social_flows` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `social_flows_user` ON `social_flows` (`user_id`);
--> statement-breakpoint
CREATE TABLE `logout_tokens` (
	`key` text PRIMARY KEY NOT NULL,
	`expires_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `logout_tokens_expiry` ON `logout_tokens` (`expires_at_ms`);
--> statement-breakpoint
CREATE TRIGGER audit_events_no_delete BEFORE DELETE ON audit_events BEGIN
  SELECT plumbline_maintenance();
END;
--> statement-breakpoint
CREATE TRIGGER audit_events_no_update BEFORE UPDATE ON audit_events BEGIN
  SELECT plumbline_maintenance();
  SELECT RAISE(ABORT, 'an event can be erased, not changed') WHERE NEW.chain IS NOT OLD.chain OR NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id OR NEW.action IS NOT OLD.action OR NEW.actor_id IS NOT OLD.actor_id OR NEW.actor_role IS NOT OLD.actor_role OR NEW.org_id IS NOT OLD.org_id OR NEW.affected_org_id IS NOT OLD.affected_org_id OR NEW.target_type IS NOT OLD.target_type OR NEW.target_id IS NOT OLD.target_id OR NEW.group_id IS NOT OLD.group_id OR NEW.impersonator_id IS NOT OLD.impersonator_id OR NEW.outcome IS NOT OLD.outcome OR NEW.request_id IS NOT OLD.request_id OR NEW.trace_id IS NOT OLD.trace_id OR NEW.idempotency_key IS NOT OLD.idempotency_key OR NEW.occurred_at IS NOT OLD.occurred_at OR NEW.created_at IS NOT OLD.created_at OR NEW.prev_hash IS NOT OLD.prev_hash OR NEW.identity_hash IS NOT OLD.identity_hash OR NEW.details_hash IS NOT OLD.details_hash OR NEW.hash IS NOT OLD.hash OR (NEW.actor_email IS NOT NULL AND NEW.actor_email IS NOT OLD.actor_email) OR (NEW.ip IS NOT NULL AND NEW.ip IS NOT OLD.ip) OR (NEW.user_agent IS NOT NULL AND NEW.user_agent IS NOT OLD.user_agent) OR (NEW.identity_salt IS NOT NULL AND NEW.identity_salt IS NOT OLD.identity_salt) OR (NEW.details IS NOT NULL AND NEW.details IS NOT OLD.details) OR (NEW.details_salt IS NOT NULL AND NEW.details_salt IS NOT OLD.details_salt);
END;
--> statement-breakpoint
CREATE TRIGGER audit_events_link BEFORE INSERT ON audit_events WHEN NEW.seq <> 1 BEGIN
  SELECT RAISE(ABORT, 'an event names the hash of the one before it in its chain')
  WHERE NOT EXISTS (SELECT 1 FROM audit_events WHERE chain = NEW.chain AND seq = NEW.seq - 1 AND hash = NEW.prev_hash)
    AND NOT EXISTS (SELECT 1 FROM audit_anchors WHERE chain = NEW.chain AND through_seq = NEW.seq - 1 AND hash = NEW.prev_hash);
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE message_search_fts USING fts5(scope, title, body, content='message_search', content_rowid='position', tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER message_search_added AFTER INSERT ON message_search BEGIN
  INSERT INTO message_search_fts (rowid, scope, title, body) VALUES (NEW.position, NEW.scope, NEW.title, NEW.body);
END;
--> statement-breakpoint
CREATE TRIGGER message_search_removed AFTER DELETE ON message_search BEGIN
  INSERT INTO message_search_fts (message_search_fts, rowid, scope, title, body) VALUES ('delete', OLD.position, OLD.scope, OLD.title, OLD.body);
END;
--> statement-breakpoint
CREATE TRIGGER message_search_changed AFTER UPDATE ON message_search BEGIN
  INSERT INTO message_search_fts (message_search_fts, rowid, scope, title, body) VALUES ('delete', OLD.position, OLD.scope, OLD.title, OLD.body);
  INSERT INTO message_search_fts (rowid, scope, title, body) VALUES (NEW.position, NEW.scope, NEW.title, NEW.body);
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE pipeline_search_fts USING fts5(scope, title, body, content='pipeline_search', content_rowid='position', tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER pipeline_search_added AFTER INSERT ON pipeline_search BEGIN
  INSERT INTO pipeline_search_fts (rowid, scope, title, body) VALUES (NEW.position, NEW.scope, NEW.title, NEW.body);
END;
--> statement-breakpoint
CREATE TRIGGER pipeline_search_removed AFTER DELETE ON pipeline_search BEGIN
  INSERT INTO pipeline_search_fts (pipeline_search_fts, rowid, scope, title, body) VALUES ('delete', OLD.position, OLD.scope, OLD.title, OLD.body);
END;
--> statement-breakpoint
CREATE TRIGGER pipeline_search_changed AFTER UPDATE ON pipeline_search BEGIN
  INSERT INTO pipeline_search_fts (pipeline_search_fts, rowid, scope, title, body) VALUES ('delete', OLD.position, OLD.scope, OLD.title, OLD.body);
  INSERT INTO pipeline_search_fts (rowid, scope, title, body) VALUES (NEW.position, NEW.scope, NEW.title, NEW.body);
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE pipeline_template_search_fts USING fts5(scope, title, body, content='pipeline_template_search', content_rowid='position', tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER pipeline_template_search_added AFTER INSERT ON pipeline_template_search BEGIN
  INSERT INTO pipeline_template_search_fts (rowid, scope, title, body) VALUES (NEW.position, NEW.scope, NEW.title, NEW.body);
END;
--> statement-breakpoint
CREATE TRIGGER pipeline_template_search_removed AFTER DELETE ON pipeline_template_search BEGIN
  INSERT INTO pipeline_template_search_fts (pipeline_template_search_fts, rowid, scope, title, body) VALUES ('delete', OLD.position, OLD.scope, OLD.title, OLD.body);
END;
--> statement-breakpoint
CREATE TRIGGER pipeline_template_search_changed AFTER UPDATE ON pipeline_template_search BEGIN
  INSERT INTO pipeline_template_search_fts (pipeline_template_search_fts, rowid, scope, title, body) VALUES ('delete', OLD.position, OLD.scope, OLD.title, OLD.body);
  INSERT INTO pipeline_template_search_fts (rowid, scope, title, body) VALUES (NEW.position, NEW.scope, NEW.title, NEW.body);
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE plugin_search_fts USING fts5(scope, title, body, content='plugin_search', content_rowid='position', tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER plugin_search_added AFTER INSERT ON plugin_search BEGIN
  INSERT INTO plugin_search_fts (rowid, scope, title, body) VALUES (NEW.position, NEW.scope, NEW.title, NEW.body);
END;
--> statement-breakpoint
CREATE TRIGGER plugin_search_removed AFTER DELETE ON plugin_search BEGIN
  INSERT INTO plugin_search_fts (plugin_search_fts, rowid, scope, title, body) VALUES ('delete', OLD.position, OLD.scope, OLD.title, OLD.body);
END;
--> statement-breakpoint
CREATE TRIGGER plugin_search_changed AFTER UPDATE ON plugin_search BEGIN
  INSERT INTO plugin_search_fts (plugin_search_fts, rowid, scope, title, body) VALUES ('delete', OLD.position, OLD.scope, OLD.title, OLD.body);
  INSERT INTO plugin_search_fts (rowid, scope, title, body) VALUES (NEW.position, NEW.scope, NEW.title, NEW.body);
END;
