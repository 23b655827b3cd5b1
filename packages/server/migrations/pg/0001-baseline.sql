CREATE TABLE "idempotency_keys" (
	"key_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"request_hash" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"lease_until_ms" bigint NOT NULL,
	"status" integer,
	"body" text COLLATE "C",
	"headers" text,
	"created_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"org_id" text COLLATE "C",
	"payload" text NOT NULL,
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
	"email_verified_at_ms" bigint,
	"password_hash" text COLLATE "C",
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
	"created_at_ms" bigint NOT NULL
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
	"erased_at" text COLLATE "C",
	"hash" text COLLATE "C" NOT NULL,
	CONSTRAINT "audit_events_chain_seq_pk" PRIMARY KEY("chain","seq")
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"chain" text COLLATE "C" PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	"frontier" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "idempotency_keys_expiry" ON "idempotency_keys" USING btree ("expires_at_ms");
--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("state","run_at_ms");
--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_unique_key" ON "jobs" USING btree ("kind","unique_key");
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_outbox_id" ON "audit_outbox" USING btree ("id");
--> statement-breakpoint
CREATE UNIQUE INDEX "organizations_slug" ON "organizations" USING btree ("slug");
--> statement-breakpoint
CREATE INDEX "organizations_parent" ON "organizations" USING btree ("parent_org_id");
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
CREATE UNIQUE INDEX "role_assignments_role_user" ON "role_assignments" USING btree ("role_id","user_id");
--> statement-breakpoint
CREATE INDEX "role_assignments_org_user" ON "role_assignments" USING btree ("org_id","user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_events_prev" ON "audit_events" USING btree ("chain","prev_hash");
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_events_hash" ON "audit_events" USING btree ("hash");
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_events_id" ON "audit_events" USING btree ("id");
--> statement-breakpoint
CREATE INDEX "audit_events_org" ON "audit_events" USING btree ("org_id","created_at");
--> statement-breakpoint
CREATE INDEX "audit_events_affected" ON "audit_events" USING btree ("affected_org_id","created_at");
--> statement-breakpoint
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plumbline_tenant') THEN CREATE ROLE plumbline_tenant NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plumbline_system') THEN CREATE ROLE plumbline_system NOLOGIN; END IF;
  EXECUTE format('GRANT plumbline_tenant, plumbline_system TO %I', current_user);
  GRANT USAGE ON SCHEMA public TO plumbline_tenant, plumbline_system;
END $$;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "idempotency_keys" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "jobs" TO plumbline_system;
--> statement-breakpoint
GRANT INSERT ON "jobs" TO plumbline_tenant;
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
CREATE POLICY "organizations_read" ON "organizations" FOR SELECT TO plumbline_tenant USING ("id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "organizations_insert" ON "organizations" FOR INSERT TO plumbline_tenant WITH CHECK ("id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "organizations_update" ON "organizations" FOR UPDATE TO plumbline_tenant USING ("id" = current_setting('app.org', true)) WITH CHECK ("id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "organizations_delete" ON "organizations" FOR DELETE TO plumbline_tenant USING ("id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "users" TO plumbline_system;
--> statement-breakpoint
GRANT SELECT (id, username, username_key, email, email_key, email_verified_at_ms, is_active, last_active_at_ms) ON "users" TO plumbline_tenant;
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
CREATE POLICY "audit_events_insert" ON "audit_events" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" = current_setting('app.org', true) OR "affected_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_events_update" ON "audit_events" FOR UPDATE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "affected_org_id" = current_setting('app.org', true)) WITH CHECK ("org_id" = current_setting('app.org', true) OR "affected_org_id" = current_setting('app.org', true));
--> statement-breakpoint
CREATE POLICY "audit_events_delete" ON "audit_events" FOR DELETE TO plumbline_tenant USING ("org_id" = current_setting('app.org', true) OR "affected_org_id" = current_setting('app.org', true));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "audit_heads" TO plumbline_system;
--> statement-breakpoint
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO plumbline_tenant, plumbline_system;
