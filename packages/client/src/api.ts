/**
 * Every path, parameter, body and answer of the API. Generated from the server's operations: do not edit, run
 * `npm run generate`.
 */

export interface paths {
    "/admin/impersonate/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Act as another person for 15 minutes
         * @description Access: system administrator, step-up. Audit: `admin.impersonate.start`.
         */
        post: operations["identity.user.impersonate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what the server holds
         * @description Access: system administrator.
         */
        get: operations["identity.admin.summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accounts of the server
         * @description Access: system administrator.
         */
        get: operations["identity.user.list"];
        put?: never;
        /**
         * Create an account; the person sets its password by a link
         * @description Access: system administrator. Audit: `admin.user.create`.
         */
        post: operations["identity.user.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an account with its memberships
         * @description Access: system administrator.
         */
        get: operations["identity.user.get"];
        /**
         * Change, deactivate or activate an account
         * @description Access: system administrator, step-up. Audit: `admin.user.update`.
         */
        put: operations["identity.user.update"];
        post?: never;
        /**
         * Delete an account
         * @description Access: system administrator, step-up. Audit: `admin.user.delete`.
         */
        delete: operations["identity.user.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/features": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Switch features on or off for one person
         * @description Access: system administrator. Audit: `admin.user.features.update`.
         */
        put: operations["identity.user.set-features"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a person a link to set a new password
         * @description Access: system administrator, step-up. Audit: `admin.user.update`.
         */
        post: operations["identity.user.reset-password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/superadmin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a person a system administrator
         * @description Access: system administrator, step-up. Audit: `admin.superadmin.grant`.
         */
        post: operations["identity.super-admin.grant"];
        /**
         * Take system administration from a person
         * @description Access: system administrator, step-up. Audit: `admin.superadmin.revoke`.
         */
        delete: operations["identity.super-admin.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit events, the newest first
         * @description Administrators see what was done in and to their own organization. Events that wait to be sealed come first, with `seq` and `hash` null.
         *
         *     Access: `audit:read` or system administrator, feature `audit_log`.
         */
        get: operations["audit.event.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the newest signed checkpoint of an organization's chain
         * @description A C2SP signed note. Keep it: with it any later state of the log can be held against this one.
         *
         *     Access: `audit:read` or system administrator.
         */
        get: operations["audit.checkpoint.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase what identifies a person from the audit events
         * @description E-mail address, network address and browser go, and on request the details of events by or about the person. The events stay, and the chains still verify.
         *
         *     Access: system administrator, step-up. Audit: `audit.erase`.
         */
        post: operations["audit.event.erase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take in events that other services emit
         * @description One event, or up to 100. Send a key with each event, so that a repeated delivery makes no second one. The answer waits up to 2 s for the event to be sealed.
         *
         *     Access: service with `audit:ingest`. Audit: none: the events are the evidence.
         */
        post: operations["audit.event.ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export an organization's events as a bundle that verifies offline
         * @description JSON Lines: a manifest, then one event a line. `plumbline audit verify FILE --key KEY` checks it. E-mail, network address and browser of foreign actors are left out for administrators of the organization; the file verifies all the same, and says so.
         *
         *     Access: `audit:read` or system administrator, feature `audit_log`.
         */
        get: operations["audit.chain.export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public keys that verify checkpoints
         * @description Verifier keys of the log, the present one first, then of its witness; one a line. Get them once, and keep them.
         *
         *     Access: anyone.
         */
        get: operations["audit.key.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove that an event is in the log, or that the log only grew
         * @description `seq` asks for an inclusion proof of one event, `from` for a consistency proof from a checkpoint of that size. Both lead to the newest checkpoint, or to the newest one of at most `to`.
         *
         *     Access: `audit:read` or system administrator.
         */
        get: operations["audit.chain.prove"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify an organization's chain of events
         * @description Every row, the head, the anchor of what was pruned and the newest checkpoint. It says what the database says of itself: compare with a checkpoint that you kept to trust nobody.
         *
         *     Access: `audit:read` or system administrator.
         */
        get: operations["audit.chain.verify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a changed e-mail address back with the token of the e-mail
         * @description Every session, access token and personal access token ends, and so do the present password and a second factor that was added since. A link to set a new password goes to the restored address.
         *
         *     Access: anyone. Audit: `user.profile.update`.
         */
        post: operations["identity.auth.restore-email"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public keys of access tokens
         * @description Access: anyone.
         */
        get: operations["identity.auth.jwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with user name or e-mail address and password
         * @description Access: anyone. Audit: `user.login`, `user.login.failed`, `user.lockout`, `admin.superadmin.grant`.
         */
        post: operations["identity.auth.login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login/mfa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a sign-in with a second factor
         * @description Access: anyone. Audit: `user.login`, `user.login.failed`, `user.lockout`, `admin.superadmin.grant`.
         */
        post: operations["identity.auth.login-mfa"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End this session, or all of them
         * @description Access: signed in. Audit: `user.logout`, `user.tokens.revoke-all`.
         */
        post: operations["identity.auth.logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your account, memberships and permissions
         * @description Access: signed in, narrowed tokens too.
         */
        get: operations["identity.me.get"];
        put?: never;
        post?: never;
        /**
         * Delete your account
         * @description Access: signed in, step-up. Audit: `user.delete`.
         */
        delete: operations["identity.me.delete"];
        options?: never;
        head?: never;
        /**
         * Change your user name or e-mail address
         * @description Access: signed in, step-up when the e-mail address changes. Audit: `user.profile.update`.
         */
        patch: operations["identity.me.update"];
        trace?: never;
    };
    "/auth/me/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your preferences in the active organization
         * @description Access: signed in.
         */
        get: operations["identity.me.get-preferences"];
        /**
         * Set your preferences in the active organization
         * @description Access: signed in. Audit: none: a person's own preferences concern nobody else.
         */
        put: operations["identity.me.set-preferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/mfa/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove the authenticator app
         * @description Access: signed in, step-up. Audit: `user.mfa.disable`.
         */
        delete: operations["identity.mfa.delete-totp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/mfa/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an authenticator app by its first code
         * @description Access: signed in, step-up. Audit: `user.mfa.enable`.
         */
        post: operations["identity.mfa.confirm-totp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/mfa/totp/enroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to enrol an authenticator app
         * @description Access: signed in, step-up. Audit: none: nothing is enabled before the first code confirms it, which is recorded.
         */
        post: operations["identity.mfa.enroll-totp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password
         * @description Access: signed in, step-up. Audit: `user.password.change`, `user.login.failed`.
         */
        post: operations["identity.auth.change-password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a link to set a new password
         * @description Access: anyone. Audit: none: nothing changes before the link is used, which is recorded.
         */
        post: operations["identity.auth.forgot-password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with the token of the e-mail
         * @description Access: anyone. Audit: `user.password.reset`, `admin.superadmin.grant`.
         */
        post: operations["identity.auth.reset-password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/pats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your personal access tokens
         * @description Access: signed in.
         */
        get: operations["identity.pat.list"];
        put?: never;
        /**
         * Make a personal access token
         * @description Access: signed in, step-up. Audit: `user.token.create`.
         */
        post: operations["identity.pat.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/pats/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke one of your personal access tokens
         * @description Access: signed in. Audit: `user.token.revoke`.
         */
        delete: operations["identity.pat.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token for a new access token and a new refresh token
         * @description Access: anyone. Audit: `user.session.reuse`.
         */
        post: operations["identity.auth.refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open an account with an organization of its own
         * @description Access: anyone. Audit: `user.register`, `org.create`.
         */
        post: operations["identity.auth.register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/send-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a link to confirm your e-mail address
         * @description Access: signed in. Audit: none: nothing changes before the link is used, which is recorded.
         */
        post: operations["identity.auth.send-verification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Access: signed in.
         */
        get: operations["identity.session.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{sid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description Access: signed in. Audit: `user.session.revoke`.
         */
        delete: operations["identity.session.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/step-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm your identity for an action that needs it
         * @description Access: signed in. Audit: `user.login.failed`, `user.lockout`.
         */
        post: operations["identity.step-up.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/switch-org": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make another organization the active one
         * @description The refresh token stays as it is, so the answer holds none.
         *
         *     Access: signed in. Audit: `org.switch`.
         */
        post: operations["identity.auth.switch-org"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange client credentials for a short access token
         * @description Access: anyone. Audit: none: the token is 300 s of a credential whose making is recorded.
         */
        post: operations["identity.auth.client-credentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an e-mail address with the token of the e-mail
         * @description Access: anyone. Audit: `user.email.verified`.
         */
        post: operations["identity.auth.verify-email"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the checks of the organization, the newest first
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.check.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the check log as a file that verifies offline
         * @description JSON Lines: a head, then what each hour was sealed with (`seal`), then the checks (`check`), the oldest first. `plumbline audit verify LOG --check-log FILE` holds it against the seals in the chain.
         *
         *     Access: `compliance:read`.
         */
        get: operations["compliance.check.export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/audit/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export what checks found
         * @description The oldest first, each as often as it was found; the filters are those of the check log.
         *
         *     Access: `compliance:read`.
         */
        get: operations["compliance.check.findings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the rules that the organization is held to as a signed bundle
         * @description Signed by the key that signs checkpoints. `plumbline check --bundle FILE --key KEY` verifies and uses it without a server, until it expires: after 7 days unless `days` says otherwise.
         *
         *     Access: `compliance:read`.
         */
        get: operations["compliance.bundle.export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/entitlements/{orgId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the sets whose rules an organization has active, and the last push
         * @description Access: service with `entitlements:sync` or system administrator.
         */
        get: operations["compliance.entitlement.get"];
        /**
         * Bring the subscriptions of an organization in line with its sets
         * @description For billing. With `occurredAt` a push that is not newer than the last one is skipped.
         *
         *     Access: service with `entitlements:sync` or system administrator. Audit: `compliance.rule.toggle`.
         */
        put: operations["compliance.entitlement.sync"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/events/entity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a record of an organization again because it changed elsewhere
         * @description For service principals. The record is read as it is stored; `attributes` are used only for one that is not stored here. `processed` is false for an event that was taken before or is older than the last one of the record. After an error the sender sends the event again.
         *
         *     Access: service with `compliance:events`. Audit: none: the check log is the record of a check.
         */
        post: operations["compliance.event.take"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/exemptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List exemptions
         * @description `team` lists those of a team from rules that this organization hands down.
         *
         *     Access: `compliance:read`.
         */
        get: operations["compliance.exemption.list"];
        put?: never;
        /**
         * Ask for an exemption of one entity from one rule
         * @description The entity is named by `entityId`, or by `entityKey` where it is not stored yet or lies in a repository: exactly one of them. `isStored` of the answer says whether a live record is named.
         *
         *     Access: `compliance:read`. Audit: `compliance.exemption.request`.
         */
        post: operations["compliance.exemption.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/exemptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an exemption, or withdraw an own request
         * @description Access: `compliance:read`. Audit: `compliance.exemption.revoke`.
         */
        delete: operations["compliance.exemption.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/exemptions/{id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Approve or reject an exemption
         * @description Whoever asked decides neither way. For an inherited rule the organization that owns it decides.
         *
         *     Access: `compliance:write`. Audit: `compliance.exemption.approve`, `compliance.exemption.reject`.
         */
        put: operations["compliance.exemption.review"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/exemptions/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for up to 500 exemptions
         * @description One bad entry refuses all. Entries that are open already, or stand twice in the call, are skipped.
         *
         *     Access: `compliance:read`. Audit: `compliance.exemption.request`.
         */
        post: operations["compliance.exemption.bulk-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/notification-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts to notify the organization, the newest first
         * @description An attempt of status `pending` is under way; one of channel `digest` waits for its window. `retrying` failed and is tried again at `nextRetryAt`.
         *
         *     Access: `compliance:read`.
         */
        get: operations["compliance.notification-log.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/notification-log/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a notification once more by the same channel
         * @description Takes any attempt of the delivery. The delivery keeps its id, so that a receiver can tell a second copy; it goes where the preferences say now. Only a delivery that is over, sent or failed, is replayed.
         *
         *     Access: `compliance:write`. Audit: none: the delivery log is the record of a delivery.
         */
        post: operations["compliance.notification-log.replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/notification-preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how the organization is notified
         * @description The defaults when nothing was set.
         *
         *     Access: `compliance:read`.
         */
        get: operations["compliance.preference.get"];
        /**
         * Set how the organization is notified
         * @description For owner and administrators, and for the compliance role `admin`. Fields that are not sent stay. Another host of `webhookUrl` clears the secret unless one is sent along.
         *
         *     Access: `compliance:write`. Audit: `compliance.preference.update`.
         */
        put: operations["compliance.preference.update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the policies of the organization, and those that everybody can copy
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.policy.list"];
        put?: never;
        /**
         * Create a policy
         * @description Access: `compliance:write`. Audit: `compliance.policy.create`.
         */
        post: operations["compliance.policy.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/policies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a policy
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.policy.get"];
        /**
         * Change a policy
         * @description Fields that are not sent stay. `rules` or `ruleIds` replace the whole group.
         *
         *     Access: `compliance:write`. Audit: `compliance.policy.update`.
         */
        put: operations["compliance.policy.update"];
        post?: never;
        /**
         * Delete a policy
         * @description Its rules stay, and are enforced as if it had never listed them.
         *
         *     Access: `compliance:write`. Audit: `compliance.policy.delete`.
         */
        delete: operations["compliance.policy.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/policies/{id}/clone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a policy of the system organization with its rules into own ones
         * @description A rule whose name is taken gets `-2`; references among the rules lead to the copies. A policy of a library that is sold needs its feature.
         *
         *     Access: `compliance:write`. Audit: `compliance.policy.create`, `compliance.rule.create`.
         */
        post: operations["compliance.policy.clone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/policies/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the stored records that a version of a policy would newly fail or pass
         * @description Against another version, each as if its rules alone were in force; or against what is in force now, with this version in place of the others of its name. The whole inventory is looked at, page after page; nothing is stored. Of an account two such questions are answered at once, of a server four, and one that nobody waits for any more ends.
         *
         *     Access: `compliance:read`.
         */
        get: operations["compliance.policy.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/policies/{id}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a deleted policy for good
         * @description Access: `compliance:write`, step-up. Audit: `compliance.policy.purge`.
         */
        post: operations["compliance.policy.purge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/policies/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted policy with its rules
         * @description Access: `compliance:write`, step-up. Audit: `compliance.policy.restore`.
         */
        post: operations["compliance.policy.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/policies/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deleted policies that can be restored
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.policy.list-deleted"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/published-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the published rules, with what the organization has subscribed to
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.published-rule.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who holds a compliance role
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.role.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/roles/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give a member a compliance role, in place of the one that they have
         * @description For owner and administrators, and for the compliance role `admin`. A role adds to what the member may do.
         *
         *     Access: `compliance:write`. Audit: `compliance.role.grant`.
         */
        put: operations["compliance.role.grant"];
        post?: never;
        /**
         * Take the compliance role from somebody
         * @description Access: `compliance:write`. Audit: `compliance.role.revoke`.
         */
        delete: operations["compliance.role.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rules of the organization, or the published ones
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.rule.list"];
        put?: never;
        /**
         * Create a rule
         * @description Every problem of the rule is listed at once. References (`dependsOnRule`) by name are stored as ids.
         *
         *     Access: `compliance:write`. Audit: `compliance.rule.create`.
         */
        post: operations["compliance.rule.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a rule: an own one, one that the parent hands down, or a published one
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.rule.get"];
        /**
         * Change a rule
         * @description Fields that are not sent stay; null clears. Target, scope and `isTemplate` cannot change. Taking `mode` away from `enforce` needs a `reason`, which stands in the audit trail.
         *
         *     Access: `compliance:write`. Audit: `compliance.rule.update`.
         */
        put: operations["compliance.rule.update"];
        post?: never;
        /**
         * Delete a rule
         * @description It is no longer enforced. It can be restored until it is purged; its history stays until then.
         *
         *     Access: `compliance:write`. Audit: `compliance.rule.delete`.
         */
        delete: operations["compliance.rule.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/rules/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a rule
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.rule.list-history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/rules/{id}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a deleted rule for good, with its history
         * @description Access: `compliance:write`, step-up. Audit: `compliance.rule.purge`.
         */
        post: operations["compliance.rule.purge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/rules/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted rule
         * @description It is checked as a new one is: what it depends on must still be there, and its name free.
         *
         *     Access: `compliance:write`, step-up. Audit: `compliance.rule.restore`.
         */
        post: operations["compliance.rule.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/rules/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deleted rules that can be restored
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.rule.list-deleted"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/scan-schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scan schedules, the newest first
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.scan-schedule.list"];
        put?: never;
        /**
         * Let scans begin by themselves
         * @description Times are UTC. At most 20 active schedules an organization.
         *
         *     Access: `compliance:write`. Audit: `compliance.scan-schedule.create`.
         */
        post: operations["compliance.scan-schedule.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/scan-schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the target or the times of a schedule
         * @description Access: `compliance:write`. Audit: `compliance.scan-schedule.update`.
         */
        put: operations["compliance.scan-schedule.update"];
        post?: never;
        /**
         * Switch a schedule off; it stays listed and can be switched on again
         * @description Access: `compliance:write`. Audit: `compliance.scan-schedule.delete`.
         */
        delete: operations["compliance.scan-schedule.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/scan-schedules/{id}/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch a schedule on or off
         * @description Access: `compliance:write`. Audit: `compliance.scan-schedule.update`.
         */
        patch: operations["compliance.scan-schedule.activate"];
        trace?: never;
    };
    "/compliance/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scans, the newest first
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.scan.list"];
        put?: never;
        /**
         * Check stored plugins and pipelines against the rules in force
         * @description It begins at once in the background. Results stand in `GET /compliance/audit?scanId=`; one scan of the same records at a time. The system organization is exempt.
         *
         *     Access: `compliance:write`. Audit: `compliance.scan.create`.
         */
        post: operations["compliance.scan.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/scans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a scan with its counts
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.scan.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/scans/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a scan that is not over
         * @description Entries that it has written to the check log stay.
         *
         *     Access: `compliance:write`. Audit: `compliance.scan.cancel`.
         */
        post: operations["compliance.scan.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/scans/{id}/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export what a scan found
         * @description What exemptions cover is in it, marked. Of a scan that is under way, or was cancelled, what it has found so far; SARIF says so in `executionSuccessful`.
         *
         *     Access: `compliance:read`.
         */
        get: operations["compliance.scan.findings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/scans/{id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a scan: `scan.progress` whenever its counts move, `scan.end` when it is over
         * @description Server-sent events. Each carries the whole scan; after `scan.end` the stream ends.
         *
         *     Access: `compliance:read`.
         */
        get: operations["compliance.scan.follow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the subscriptions of the organization, with their rules
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.subscription.list"];
        put?: never;
        /**
         * Subscribe to a published rule
         * @description The subscription begins inactive. 200 with the subscription as it is, where there is one.
         *
         *     Access: `compliance:write`. Audit: `compliance.subscription.create`.
         */
        post: operations["compliance.subscription.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/subscriptions/{ruleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End the subscription to a rule
         * @description Access: `compliance:write`. Audit: `compliance.subscription.delete`.
         */
        delete: operations["compliance.subscription.delete"];
        options?: never;
        head?: never;
        /**
         * Switch a subscribed rule on or off, or set its rollout
         * @description Taking `mode` away from `enforce` needs a `reason`, which stands in the audit trail.
         *
         *     Access: `compliance:write`. Audit: `compliance.rule.toggle`.
         */
        patch: operations["compliance.subscription.update"];
        trace?: never;
    };
    "/compliance/subscriptions/{ruleId}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold a subscription to the present version of its rule
         * @description Pinned already: to the version that is the newest now.
         *
         *     Access: `compliance:write`. Audit: `compliance.subscription.pin`.
         */
        post: operations["compliance.subscription.pin"];
        /**
         * Let a subscription follow its rule again
         * @description Access: `compliance:write`. Audit: `compliance.subscription.unpin`.
         */
        delete: operations["compliance.subscription.unpin"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/subscriptions/auto-subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe the organization to every published rule, inactive
         * @description Subscriptions that exist stay as they are. Rules of a set can be activated only where the plan has it.
         *
         *     Access: system administrator or service with `entitlements:sync`. Audit: `compliance.subscription.create`.
         */
        post: operations["compliance.subscription.auto-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/subscriptions/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch up to 100 subscribed rules on or off
         * @description One rule that the plan does not unlock refuses the whole call.
         *
         *     Access: `compliance:write`. Audit: `compliance.rule.toggle`.
         */
        post: operations["compliance.subscription.bulk-update"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/subscriptions/clone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a published rule into an own one
         * @description Named `<name>-custom` unless a name is given. What it depends on stays a reference to the published rule; `warnings` names each such rule that is not enforced, because until it is the copy is skipped.
         *
         *     Access: `compliance:write`. Audit: `compliance.rule.create`.
         */
        post: operations["compliance.subscription.clone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/subscriptions/enforced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every rule that the organization is held to, now or at an instant of the past
         * @description Own rules, those of the parent, active subscriptions. Dates of effect are left to each check.
         *
         *     Access: `compliance:read`.
         */
        get: operations["compliance.subscription.list-enforced"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/subscriptions/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a rule on attributes
         * @description Without attributes: the rule. Dates and gates are left aside; nothing is stored.
         *
         *     Access: `compliance:read`.
         */
        post: operations["compliance.subscription.preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/subscriptions/preview/impact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the stored entities that a rule would fail
         * @description All of the organization, page after page, so that it takes the longer the more there are; of an account two such questions are answered at once, of a server four, and one that nobody waits for any more ends. Dates, exemptions and gates are left aside; nothing is stored. With `asOf`: the rule as it was then, over the entities of now.
         *
         *     Access: `compliance:read`.
         */
        post: operations["compliance.subscription.preview-impact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rule templates that come with the server
         * @description Access: `compliance:read`.
         */
        get: operations["compliance.template.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/templates/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make own rules of templates
         * @description A template whose name a rule has already is skipped.
         *
         *     Access: `compliance:write`. Audit: `compliance.template.apply`.
         */
        post: operations["compliance.template.apply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/templates/clone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy template rules of the system organization into own ones
         * @description Access: `compliance:write`. Audit: `compliance.rule.create`.
         */
        post: operations["compliance.template.clone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/validate/pipeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a pipeline and record the verdict
         * @description The check is committed to the check log before the answer leaves. `blocked` says whether the change may go on.
         *
         *     Access: `pipelines:write` or service with `compliance:validate` or service with `compliance:check`. Audit: none: the check log is the record of a check.
         */
        post: operations["compliance.pipeline.validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/validate/pipeline/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a pipeline without a trace
         * @description The same verdict as the live check; nothing is written and nobody is told. With `asOf`: the verdict of that instant, for whoever has compliance:read.
         *
         *     Access: `compliance:read` or service with `compliance:validate` or service with `compliance:check`.
         */
        post: operations["compliance.pipeline.validate-dry-run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/validate/plugin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a plugin and record the verdict
         * @description The check is committed to the check log before the answer leaves. `blocked` says whether the change may go on.
         *
         *     Access: `plugins:write` or service with `compliance:validate` or service with `compliance:check`. Audit: none: the check log is the record of a check.
         */
        post: operations["compliance.plugin.validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compliance/validate/plugin/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a plugin without a trace
         * @description The same verdict as the live check; nothing is written and nobody is told. With `asOf`: the verdict of that instant, for whoever has compliance:read.
         *
         *     Access: `compliance:read` or service with `compliance:validate` or service with `compliance:check`.
         */
        post: operations["compliance.plugin.validate-dry-run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what this server offers
         * @description Access: anyone.
         */
        get: operations["identity.config.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invitations of the active organization
         * @description Access: `invitations:manage`.
         */
        get: operations["identity.invitation.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an invitation by its token
         * @description Access: anyone.
         */
        get: operations["identity.invitation.view"];
        put?: never;
        post?: never;
        /**
         * Revoke a pending invitation
         * @description Access: `invitations:manage`. Audit: `invitation.revoke`.
         */
        delete: operations["identity.invitation.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an invitation again, with a new link
         * @description Access: `invitations:manage`. Audit: `invitation.resend`.
         */
        post: operations["identity.invitation.resend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation with the account that is signed in
         * @description Access: signed in. Audit: `invitation.accept`.
         */
        post: operations["identity.invitation.accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation/accept-new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation with a new account
         * @description Access: anyone. Audit: `user.register`, `invitation.accept`.
         */
        post: operations["identity.invitation.accept-new"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline an invitation
         * @description Access: anyone. Audit: `invitation.decline`.
         */
        post: operations["identity.invitation.decline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite somebody to the active organization
         * @description Access: `invitations:manage`. Audit: `invitation.send`.
         */
        post: operations["identity.invitation.send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages that opened a thread, the newest activity first
         * @description Access: `messages:read`.
         */
        get: operations["message.inbox.list"];
        put?: never;
        /**
         * Send a message to an organization, one of its members, or everybody
         * @description Recipients are your own organization, the others of its account, and the system organization (`system`, `support`, `help`). Only system administrators write to any organization, and to everybody (`*`, an announcement).
         *
         *     Access: `messages:write` or service with `messages:notify`. Audit: `message.announcement.create`; none when it is a conversation.
         */
        post: operations["message.message.send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message
         * @description Access: `messages:read`.
         */
        get: operations["message.message.get"];
        put?: never;
        post?: never;
        /**
         * Delete a message that you wrote; with the one that opened it goes the whole thread
         * @description Access: `messages:write`. Audit: `message.delete`.
         */
        delete: operations["message.message.delete"];
        options?: never;
        head?: never;
        /**
         * Change the content of a message that you wrote within the last 24 hours
         * @description Access: `messages:write`. Audit: none: conversation messages.
         */
        patch: operations["message.message.edit"];
        trace?: never;
    };
    "/messages/{id}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attachments of a message
         * @description Access: `messages:read`.
         */
        get: operations["message.message.attachments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a deleted message for good; with the one that opened it goes the whole thread
         * @description Access: `messages:write`, step-up. Audit: `message.delete`.
         */
        post: operations["message.message.purge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Mark a message as read by you
         * @description Access: `messages:read`. Audit: none: read marks.
         */
        put: operations["message.message.read"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer the message that opened a thread
         * @description It goes to the other side. An answer to an announcement is private: a conversation of your organization with the system organization.
         *
         *     Access: `messages:write`. Audit: none: conversation messages.
         */
        post: operations["message.message.reply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring back a message that was deleted, with the answers that went with it
         * @description Access: `messages:write`, step-up. Audit: `message.restore`.
         */
        post: operations["message.message.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}/thread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the thread of a message: the one that opened it, then the answers as they came
         * @description Access: `messages:read`.
         */
        get: operations["message.thread.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}/thread/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Mark every message of a thread as read by you
         * @description Access: `messages:read`. Audit: none: read marks.
         */
        put: operations["message.thread.read"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/announcements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the announcements, as the inbox does
         * @description Access: `messages:read`.
         */
        get: operations["message.announcement.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file for a message that you will send
         * @description The content must be what the part declares. Send the id with the message within 24 hours; until then only you see the file.
         *
         *     Access: `messages:write`. Audit: none: pending attachments.
         */
        post: operations["message.attachment.upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/attachments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an attachment, or its thumbnail
         * @description Access: `messages:read`.
         */
        get: operations["message.attachment.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the conversations, as the inbox does
         * @description Access: `messages:read`.
         */
        get: operations["message.conversation.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deleted messages that you wrote; a system administrator sees all that the organization wrote
         * @description An answer that went with its thread comes back with it, and is not listed apart.
         *
         *     Access: `messages:write`.
         */
        get: operations["message.message.list-deleted"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/read-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Mark every message of your inbox as read by you
         * @description Access: `messages:read`. Audit: none: read marks.
         */
        put: operations["message.inbox.read"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow your inbox: `message.new`, `message.edited`, `message.deleted`, `unread`
         * @description Server-sent events. The first is `unread`; after each change comes another one. Send `Last-Event-ID` to go on where a stream broke off within the last 24 hours.
         *
         *     Access: `messages:read`.
         */
        get: operations["message.event.stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/unread/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the threads with a message that you have not read
         * @description Access: `messages:read`.
         */
        get: operations["message.unread.count"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the active organization, the membership in it and its teams
         * @description Access: signed in.
         */
        get: operations["identity.organization.active"];
        put?: never;
        /**
         * Create an organization, or a team below a root
         * @description Access: `org:settings` or signed in. Audit: `org.create`.
         */
        post: operations["identity.organization.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an organization
         * @description Access: member, narrowed tokens with `org:settings` or `members:manage`.
         */
        get: operations["identity.organization.get"];
        /**
         * Change an organization, as a system administrator
         * @description Access: system administrator. Audit: `org.update`.
         */
        put: operations["identity.organization.update"];
        post?: never;
        /**
         * Delete an organization; it can be restored until it is purged
         * @description Access: system administrator or owner, step-up. Audit: `org.soft_delete`.
         */
        delete: operations["identity.organization.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export an organization
         * @description Each section needs the permission that reads its records. Sections that the caller may not read are left out; `leftOut` names them with the permission.
         *
         *     Access: `org:settings`, step-up.
         */
        get: operations["identity.organization.export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/identity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the name, slug and texts of an organization
         * @description Access: `org:settings`. Audit: `org.update`.
         */
        patch: operations["identity.organization.rename"];
        trace?: never;
    };
    "/organization/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of an organization
         * @description Access: member or `members:manage`.
         */
        get: operations["identity.member.list"];
        put?: never;
        /**
         * Add somebody of the account to an organization
         * @description Access: `members:manage`. Audit: `org.member.add`.
         */
        post: operations["identity.member.add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member, or leave the organization
         * @description Of a root organization: also from all its teams. Teams that the person owns pass to the owner of the root, or to `teamsTo`. Nobody removes a person who holds more than they do.
         *
         *     Access: signed in. Audit: `org.member.remove`, `org.ownership.transfer`, `invitation.revoke`.
         */
        delete: operations["identity.member.remove"];
        options?: never;
        head?: never;
        /**
         * Make a member an administrator, or an administrator a member
         * @description Access: `members:manage`. Audit: `org.role.member.add`, `org.role.member.remove`.
         */
        patch: operations["identity.member.set-role"];
        trace?: never;
    };
    "/organization/{id}/members/{userId}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Activate a member again
         * @description Access: `members:manage`. Audit: `org.member.activate`.
         */
        patch: operations["identity.member.activate"];
        trace?: never;
    };
    "/organization/{id}/members/{userId}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Deactivate a member and free the seat
         * @description Of a root organization: also in all its teams. Teams that the person owns pass to the owner of the root, or to `teamsTo`. Nobody deactivates a person who holds more than they do.
         *
         *     Access: `members:manage`. Audit: `org.member.deactivate`, `org.ownership.transfer`.
         */
        patch: operations["identity.member.deactivate"];
        trace?: never;
    };
    "/organization/{id}/members/{userId}/exists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say whether somebody is an active member
         * @description Access: member or service with `members:probe`, narrowed tokens with `members:manage`.
         */
        get: operations["identity.member.exists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/members/bulk-add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add somebody of the account to several of its teams
         * @description Access: `members:manage`. Audit: `org.member.add`.
         */
        post: operations["identity.member.bulk-add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted organization
         * @description Access: signed in, step-up. Audit: `org.restore`.
         */
        post: operations["identity.organization.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the Roles of an organization with their members
         * @description Access: member, narrowed tokens with `roles:manage` or `members:manage`.
         */
        get: operations["identity.role.list"];
        put?: never;
        /**
         * Create a Role
         * @description Access: `roles:manage`. Audit: `org.role.create`.
         */
        post: operations["identity.role.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/roles/{roleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a Role
         * @description Access: `roles:manage`. Audit: `org.role.update`.
         */
        put: operations["identity.role.update"];
        post?: never;
        /**
         * Delete a Role and take it from its holders
         * @description Access: `roles:manage`. Audit: `org.role.delete`.
         */
        delete: operations["identity.role.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/roles/{roleId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a Role to a member
         * @description Access: `roles:manage`. Audit: `org.role.member.add`.
         */
        post: operations["identity.role.assign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/roles/{roleId}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a Role from a member
         * @description Access: `roles:manage`. Audit: `org.role.member.remove`.
         */
        delete: operations["identity.role.unassign"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/seat-limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the seats, features and tier that an account has bought
         * @description Access: service with `seats:sync`. Audit: `admin.org.seatLimit.update`.
         */
        put: operations["identity.organization.set-seat-limit"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the names of the secrets of an organization
         * @description Access: `secrets:manage`.
         */
        get: operations["identity.secret.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/secrets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a secret of an organization
         * @description Access: `secrets:manage`. Audit: `org.secret.set`.
         */
        put: operations["identity.secret.set"];
        post?: never;
        /**
         * Delete a secret of an organization
         * @description Access: `secrets:manage`. Audit: `org.secret.delete`.
         */
        delete: operations["identity.secret.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/service-principals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the service principals of an organization
         * @description Access: `org:settings`.
         */
        get: operations["identity.service-principal.list"];
        put?: never;
        /**
         * Create a service principal; its secret is shown once
         * @description Access: `org:settings`, step-up. Audit: `org.service-principal.create`.
         */
        post: operations["identity.service-principal.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/service-principals/{pid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a service principal
         * @description Access: `org:settings`. Audit: `org.service-principal.delete`.
         */
        delete: operations["identity.service-principal.delete"];
        options?: never;
        head?: never;
        /**
         * Change, disable or enable a service principal
         * @description Access: `org:settings`, step-up when `scopes` or `includeTeams` grow. Audit: `org.service-principal.update`.
         */
        patch: operations["identity.service-principal.update"];
        trace?: never;
    };
    "/organization/{id}/service-principals/{pid}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a service principal a new secret, shown once
         * @description Access: `org:settings`, step-up. Audit: `org.service-principal.rotate`.
         */
        post: operations["identity.service-principal.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the settings of an organization
         * @description `memberWriteScope` says what members without Admin change: `own` for the records that they or their teams own, `org` for all.
         *
         *     Access: `org:settings`. Audit: `org.update`.
         */
        patch: operations["identity.organization.settings"];
        trace?: never;
    };
    "/organization/{id}/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the teams of an organization
         * @description Access: member, narrowed tokens with `org:settings` or `members:manage`.
         */
        get: operations["identity.team.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/{id}/tier": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the tier of an account
         * @description Rules of a set that the tier gains or loses are switched on or off in each organization of the account.
         *
         *     Access: system administrator, step-up. Audit: `admin.org.tier.update`, `compliance.rule.toggle`.
         */
        patch: operations["identity.organization.set-tier"];
        trace?: never;
    };
    "/organization/{id}/transfer-owner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Pass an organization on to another member
         * @description Access: owner or system administrator, step-up. Audit: `org.ownership.transfer`.
         */
        patch: operations["identity.organization.transfer-owner"];
        trace?: never;
    };
    "/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organizations of the server
         * @description Access: system administrator.
         */
        get: operations["identity.organization.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipeline-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pipeline templates
         * @description `label.<name>=<value>` finds templates by a label.
         *
         *     Access: `pipelines:read` or service with `pipelines:read`.
         */
        get: operations["pipeline.template.list"];
        put?: never;
        /**
         * Author a pipeline template
         * @description Access: `pipelines:write`. Audit: `pipeline_template.create`.
         */
        post: operations["pipeline.template.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipeline-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a pipeline template
         * @description Access: `pipelines:read` or service with `pipelines:read`.
         */
        get: operations["pipeline.template.get"];
        /**
         * Change a pipeline template
         * @description Access: `pipelines:write`. Audit: `pipeline_template.update`.
         */
        put: operations["pipeline.template.update"];
        post?: never;
        /**
         * Delete a pipeline template; it can be restored for a while
         * @description Access: `pipelines:write`. Audit: `pipeline_template.delete`.
         */
        delete: operations["pipeline.template.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipeline-templates/{id}/instantiate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the properties of a pipeline from a template
         * @description Access: `pipelines:read` or service with `pipelines:read`. Audit: none: nothing is stored: the pipeline that is made of it has its own evidence.
         */
        post: operations["pipeline.template.instantiate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipeline-templates/{id}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a deleted pipeline template for good
         * @description Access: `pipelines:write`, step-up. Audit: `pipeline_template.delete`.
         */
        post: operations["pipeline.template.purge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipeline-templates/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted pipeline template
         * @description Access: `pipelines:write`, step-up. Audit: `pipeline_template.update`.
         */
        post: operations["pipeline.template.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipeline-templates/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted pipeline templates
         * @description Access: `pipelines:write`.
         */
        get: operations["pipeline.template.list-deleted"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pipelines
         * @description `label.<name>=<value>` finds pipelines by a label.
         *
         *     Access: `pipelines:read` or service with `pipelines:read`.
         */
        get: operations["pipeline.pipeline.list"];
        put?: never;
        /**
         * Create a pipeline, or bring the one of this project and organization to what is sent
         * @description Checked against the compliance rules before it is stored. `If-None-Match: *` refuses with 409 when one of this project and organization is there.
         *
         *     Access: `pipelines:write`. Audit: `pipeline.create`, `pipeline.update`.
         */
        post: operations["pipeline.pipeline.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a pipeline
         * @description Access: `pipelines:read` or service with `pipelines:read`.
         */
        get: operations["pipeline.pipeline.get"];
        /**
         * Change a pipeline
         * @description Access: `pipelines:write`. Audit: `pipeline.update`.
         */
        put: operations["pipeline.pipeline.update"];
        post?: never;
        /**
         * Delete a pipeline; it can be restored for a while
         * @description Access: `pipelines:write`. Audit: `pipeline.delete`.
         */
        delete: operations["pipeline.pipeline.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/{id}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a deleted pipeline for good
         * @description Access: `pipelines:write`, step-up. Audit: `pipeline.delete`.
         */
        post: operations["pipeline.pipeline.purge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted pipeline
         * @description Access: `pipelines:write`, step-up. Audit: `pipeline.update`.
         */
        post: operations["pipeline.pipeline.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/{id}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the revisions of a pipeline
         * @description Access: `pipelines:read` or service with `pipelines:read`.
         */
        get: operations["pipeline.revision.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/{id}/revisions/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a pipeline as it was
         * @description Access: `pipelines:read` or service with `pipelines:read`.
         */
        get: operations["pipeline.revision.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/{id}/revisions/{revision}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two revisions of a pipeline
         * @description Access: `pipelines:read` or service with `pipelines:read`.
         */
        get: operations["pipeline.revision.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/bulk/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create many pipelines
         * @description Access: `pipelines:write`, feature `bulk_operations`. Audit: `pipeline.create`, `pipeline.update`.
         */
        post: operations["pipeline.pipeline.bulk-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/bulk/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete many pipelines
         * @description Access: `pipelines:write`, feature `bulk_operations`. Audit: `pipeline.delete`.
         */
        post: operations["pipeline.pipeline.bulk-delete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/bulk/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change many pipelines alike
         * @description Access: `pipelines:write`, feature `bulk_operations`. Audit: `pipeline.update`.
         */
        put: operations["pipeline.pipeline.bulk-update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted pipelines
         * @description Access: `pipelines:write`.
         */
        get: operations["pipeline.pipeline.list-deleted"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find one pipeline by a query
         * @description Access: `pipelines:read` or service with `pipelines:read`.
         */
        get: operations["pipeline.pipeline.find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/registry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where pipelines are deployed
         * @description Access: `pipelines:read` or service with `pipelines:read`.
         */
        get: operations["pipeline.registry.list"];
        put?: never;
        /**
         * Note that a pipeline was deployed
         * @description Access: `pipelines:write` or service with `registry:deploy`. Audit: `pipeline.registry.register`.
         */
        post: operations["pipeline.registry.register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/registry/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Forget where a pipeline was deployed
         * @description Access: `pipelines:write`. Audit: `pipeline.registry.deregister`.
         */
        delete: operations["pipeline.registry.deregister"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what a create would, and change nothing
         * @description Access: `pipelines:write`. Audit: none: nothing is changed, and a dry run leaves no row in the check log.
         */
        post: operations["pipeline.pipeline.validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plugins
         * @description Those of the organization, the public ones of its parent, and the public ones of the system organization.
         *
         *     Access: `plugins:read` or service with `plugins:read`.
         */
        get: operations["plugin.plugin.list"];
        put?: never;
        /**
         * Upload a plugin
         * @description A zip archive with `plugin-spec.yaml` at its root. Sent as multipart/form-data: the file part `plugin`, and text fields, of which `labels` and `links` are JSON. The caller is known and has the right before a byte of the file is read. Every problem of the specification is named with its line.
         *
         *     Access: `plugins:write`. Audit: `plugin.upload`.
         */
        post: operations["plugin.plugin.upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a plugin
         * @description Access: `plugins:read` or service with `plugins:read`.
         */
        get: operations["plugin.plugin.get"];
        /**
         * Update a plugin
         * @description What an image was built from does not change: upload a new version for that.
         *
         *     Access: `plugins:write`. Audit: `plugin.update`.
         */
        put: operations["plugin.plugin.update"];
        post?: never;
        /**
         * Delete a plugin
         * @description It can be restored for a while. Its place is free at once.
         *
         *     Access: `plugins:write`. Audit: `plugin.delete`.
         */
        delete: operations["plugin.plugin.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/{id}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a deleted plugin for good
         * @description Access: `plugins:write`, step-up. Audit: `plugin.delete`.
         */
        post: operations["plugin.plugin.purge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted plugin
         * @description It is checked and takes its place as a new one would. It is not the default again by itself.
         *
         *     Access: `plugins:write`, step-up. Audit: `plugin.update`.
         */
        post: operations["plugin.plugin.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/builds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List builds
         * @description Those that wait and run, and those that ended within thirty days.
         *
         *     Access: `plugins:read` or service with `plugins:read`.
         */
        get: operations["plugin.build.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/builds/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a build
         * @description Access: `plugins:read` or service with `plugins:read`.
         */
        get: operations["plugin.build.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/builds/{jobId}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the log of a build
         * @description As a text. With `Accept: text/event-stream` as events: `log` with each piece as it is written, and `end` with the state, after which nothing comes.
         *
         *     Access: `plugins:read` or service with `plugins:read`.
         */
        get: operations["plugin.build.log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/bulk/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete several plugins
         * @description Access: `plugins:write`, feature `bulk_operations`. Audit: `plugin.bulk.delete`.
         */
        post: operations["plugin.plugin.bulk-delete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/bulk/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Update several plugins
         * @description Each as `PUT /plugins/:id` would; one that is refused is reported, and with `atomic=true` refuses all.
         *
         *     Access: `plugins:write`, feature `bulk_operations`. Audit: `plugin.bulk.update`.
         */
        put: operations["plugin.plugin.bulk-update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted plugins
         * @description Access: `plugins:read` or service with `plugins:read`.
         */
        get: operations["plugin.deleted.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find one plugin
         * @description The first that matches: of the own organization, then of its parent, then of the system; the default version first, then the highest.
         *
         *     Access: `plugins:read` or service with `plugins:read`.
         */
        get: operations["plugin.plugin.find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find one plugin by a filter in the body
         * @description Access: `plugins:read` or service with `plugins:read`. Audit: none: it reads.
         */
        post: operations["plugin.plugin.lookup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/plugin-usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the pipelines that use each plugin
         * @description Access: `plugins:read` or service with `plugins:read`.
         */
        get: operations["plugin.usage.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/queue/dlq": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the dead letters among builds
         * @description Access: `plugins:write`.
         */
        get: operations["plugin.dlq.list"];
        put?: never;
        post?: never;
        /**
         * Remove every dead letter of every organization
         * @description Access: system administrator. Audit: `plugin.dlq.purge`.
         */
        delete: operations["plugin.dlq.purge"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/queue/dlq/{jobId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Build a dead letter again
         * @description The plugin is checked and takes its place again, as when it was uploaded.
         *
         *     Access: `plugins:write` and `plugins:publish`. Audit: `plugin.dlq.replay`.
         */
        post: operations["plugin.dlq.replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/queue/failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List builds that failed in the last day
         * @description Access: `plugins:write`.
         */
        get: operations["plugin.queue.failed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/queue/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the builds by state
         * @description Access: `plugins:publish`.
         */
        get: operations["plugin.queue.status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the quotas of the organization that you act in
         * @description Access: `quotas:read`.
         */
        get: operations["quota.quota.mine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quotas/{orgId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the quotas of an organization
         * @description Access: `quotas:read` or system administrator or service with `quota:increment` or service with `quota:reset`.
         */
        get: operations["quota.quota.get"];
        /**
         * Set the tier and the limits of an account
         * @description A limit of null is taken back: baseline and add-ons hold again. `teams` gives teams limits of their own inside those of the account.
         *
         *     Access: system administrator. Audit: `admin.org.tier.update`, `admin.org.quota.override`, `quota.limit.update`.
         */
        put: operations["quota.quota.update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quotas/{orgId}/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one quota of an organization
         * @description Access: `quotas:read` or system administrator or service with `quota:increment` or service with `quota:reset`.
         */
        get: operations["quota.quota.status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quotas/{orgId}/at-risk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the quotas of an organization that are near their limit
         * @description Access: `quotas:read` or system administrator or service with `quota:increment` or service with `quota:reset`.
         */
        get: operations["quota.at-risk.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quotas/{orgId}/increment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report what an organization used
         * @description At most 1000 a call. Over the limit nothing is counted. The same idempotencyKey counts once in 24 hours.
         *
         *     Access: service with `quota:increment`. Audit: none: a counter of use; what was done is recorded by the service that did it.
         */
        post: operations["quota.quota.increment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quotas/{orgId}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin the counting of use anew
         * @description Metered types begin at 0, in the same period. Capacity is counted from what is there, so nothing changes but bytes that were reported.
         *
         *     Access: system administrator or service with `quota:reset`, step-up (services without). Audit: `quota.reset`.
         */
        post: operations["quota.quota.reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quotas/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the quotas of every organization
         * @description Access: system administrator.
         */
        get: operations["quota.quota.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quotas/at-risk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organizations that are near a limit
         * @description Access: system administrator.
         */
        get: operations["quota.at-risk.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /** @constant */
            success: false;
            statusCode: number;
            /** @enum {string} */
            code: "VALIDATION_ERROR" | "MISSING_REQUIRED_FIELD" | "TEMPLATE_UNKNOWN_PATH" | "TEMPLATE_CYCLE" | "TEMPLATE_PARSE_ERROR" | "TEMPLATE_TYPE_MISMATCH" | "TEMPLATE_SECRETS_RESERVED" | "TEMPLATE_CONTRACT_VIOLATION" | "TEMPLATE_SIZE_EXCEEDED" | "TEMPLATE_VALIDATION_FAILED" | "TOKEN_MISSING" | "TOKEN_INVALID" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "UNAUTHORIZED" | "STEP_UP_REQUIRED" | "STEP_UP_INVALID" | "STEP_UP_MISMATCH" | "STEP_UP_REPLAY" | "MFA_REQUIRED" | "PAYMENT_METHOD_REQUIRED" | "INSUFFICIENT_PERMISSIONS" | "ORG_MISMATCH" | "RESERVED_ORG" | "REGISTRATION_CLOSED" | "COMPLIANCE_VIOLATION" | "SEAT_LIMIT" | "READ_ONLY_SESSION" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "SCAN_CONFLICT" | "DUPLICATE_ENTRY" | "IDEMPOTENCY_CONFLICT" | "TIER_OVER_CAP" | "LAST_PRIVILEGED_MEMBER" | "OWNER_PROTECTED" | "SYSTEM_ROLE_IMMUTABLE" | "INVITATION_EXPIRED" | "INVITATION_REVOKED" | "INVITATION_ACCEPTED" | "INVITATION_DECLINED" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "IDEMPOTENCY_MISMATCH" | "QUOTA_EXCEEDED" | "RATE_LIMIT_EXCEEDED" | "INTERNAL_ERROR" | "UPSTREAM_ERROR" | "SERVICE_UNAVAILABLE" | "COMPLIANCE_SERVICE_UNAVAILABLE" | "BUILDER_UNAVAILABLE" | "EMAIL_NOT_CONFIGURED" | "UPSTREAM_TIMEOUT";
            /** @description For people; it may change */
            message: string;
            /** @description What the code needs besides; `issues` for a validation error */
            details?: Record<string, never>;
            requestId: string;
        };
        AnnouncementListAnswer: {
            messages: components["schemas"]["Message"][];
            pagination: components["schemas"]["Pagination"];
        };
        AtRisk: {
            /** @description A UUID */
            orgId: string;
            name: string;
            slug: string;
            /** @enum {unknown} */
            tier: "developer" | "pro" | "team" | "enterprise" | "unlimited";
            /** @enum {unknown} */
            type: "plugins" | "pipelines" | "apiCalls" | "aiCalls" | "storageBytes" | "dashboards" | "alertRules" | "alertDestinations" | "idpConfigs";
            used: number;
            limit: number;
            /** @description Rounded down; above 100 where a limit was lowered below the use */
            percent: number;
        };
        AtRiskGetAnswer: {
            atRisk: components["schemas"]["AtRisk"][];
            /** @description On this page */
            count: number;
            total: number;
            threshold: number;
            /** @constant */
            complete: true;
        };
        Attachment: {
            /** @description A UUID */
            id: string;
            filename: string;
            contentType: string;
            sizeBytes: number;
            /** @description Hex */
            sha256: string;
            hasThumbnail: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
        };
        AuditEvent: {
            /** @description `evt_` and a UUID */
            id: string;
            action: string;
            actorId: string;
            actorEmail: string | null;
            actorRole: string | null;
            orgId: string | null;
            affectedOrgId: string | null;
            targetType: string | null;
            targetId: string | null;
            groupId: string | null;
            impersonatorId: string | null;
            /** @enum {unknown} */
            outcome: "success" | "failure";
            details: Record<string, never> | null;
            ip: string | null;
            userAgent: string | null;
            requestId: string | null;
            traceId: string | null;
            occurredAt: string | null;
            /** @description when the log took it in */
            createdAt: string;
            chain: string;
            seq: number | null;
            prevHash: string | null;
            hash: string | null;
        };
        AuditEventEraseBody: {
            userId: string;
            /** @default false */
            details?: boolean;
            reason: string;
        };
        AuditEventIngestBody: components["schemas"]["AuditEventIngestEvent"] | {
            events: components["schemas"]["AuditEventIngestEvent"][];
        };
        AuditEventIngestEvent: {
            /** @description One of the actions that services may emit */
            action: string;
            actorId: string;
            actorEmail?: string;
            /** @description The actor's organization */
            orgId?: string;
            /** @description The organization acted on */
            affectedOrgId?: string;
            targetType?: string;
            targetId?: string;
            groupId?: string;
            details?: {
                [key: string]: unknown;
            };
            ip?: string;
            userAgent?: string;
            requestId?: string;
            traceId?: string;
            /** @enum {unknown} */
            outcome?: "success" | "failure";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            occurredAt?: string;
            idempotencyKey?: string;
            /** @description Accepted and ignored: a remote service cannot vouch for it */
            actorRole?: string;
            /** @description Accepted and ignored */
            impersonatorId?: string;
        };
        AuditEventResult: {
            /** @description What the event alone would have been answered with */
            status: number;
            id?: string;
            /** @description Its number in the chain; null when it was not sealed within 2 s. It is durable either way */
            seq?: number | null;
            duplicate?: boolean;
            /** @description Keys of `details` that the action does not allow, and that were therefore not kept */
            dropped?: string[];
            code?: string;
            message?: string;
        };
        AuthChangePasswordBody: {
            currentPassword: string;
            newPassword: string;
        };
        AuthClientCredentialsBody: {
            /** @constant */
            grant_type: "client_credentials";
            /** @description Here, or by HTTP Basic */
            clientId?: string;
            clientSecret?: string;
            /** @description Scopes between spaces; all that it has when absent */
            scope?: string;
        };
        AuthForgotPasswordBody: {
            /** Format: email */
            email: string;
        };
        AuthLoginAnswer: {
            accessToken: string;
            /** @description Absent in browser mode, where it is a cookie */
            refreshToken?: string;
            /** @constant */
            tokenType: "Bearer";
            /** @description Seconds */
            expiresIn: number;
            /** @description Seconds until the session ends if it is not used */
            refreshExpiresIn: number;
            user: components["schemas"]["AuthUser"];
            organization: components["schemas"]["MeOrganization"] | null;
        };
        AuthLoginBody: {
            identifier: string;
            password: string;
            /** @description A UUID */
            organizationId?: string;
        };
        AuthLoginMfaBody: {
            challengeToken: string;
            /** @description Six digits, or a recovery code */
            code: string;
        };
        AuthLogoutBody: {
            /** @description Ends the session of this token too */
            refreshToken?: string;
            /** @description Ends every session; personal access tokens stay */
            everywhere?: boolean;
        };
        AuthOrganization: {
            /** @description A UUID */
            id: string;
            name: string;
            slug: string;
            tier: string;
            /** @constant */
            role: "owner";
        };
        AuthRefreshBody: {
            refreshToken?: string;
        };
        AuthRegisterBody: {
            /** @description Letters, digits, dot, underscore and hyphen */
            username: string;
            /** Format: email */
            email: string;
            password: string;
            organizationName?: string;
            planId?: string;
        };
        AuthRegisterUser: {
            /** @description A UUID */
            id: string;
            username: string;
            email: string;
            isEmailVerified: boolean;
        };
        AuthResetPasswordBody: {
            token: string;
            password: string;
        };
        AuthRestoreEmailBody: {
            token: string;
        };
        AuthSendVerificationBody: Record<string, never>;
        AuthSwitchOrgBody: {
            /** @description A UUID */
            organizationId: string;
        };
        AuthUser: {
            /** @description A UUID */
            id: string;
            username: string;
            email: string;
            isEmailVerified: boolean;
            mustChangePassword: boolean;
        };
        Build: {
            /** @description A UUID */
            jobId: string;
            /** @description A UUID */
            orgId: string;
            /** @description A UUID */
            pluginId: string;
            pluginName: string;
            version: string;
            buildType: string;
            /** @enum {string} */
            state: "waiting" | "delayed" | "active" | "completed" | "dead" | "cancelled";
            /** @description 0 for the first tries, then each automatic round of the dead letters */
            round: number;
            totalAttempts: number;
            exhausted: boolean;
            error: string | null;
            category: ("docker-build" | "template" | "quota" | "timeout" | "auth-secrets" | "network" | "validation" | "other" | "unknown") | null;
            nextRunAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            startedAt: string | null;
            finishedAt: string | null;
        };
        Bundle: {
            /** @constant */
            plumblineRuleBundle: 1;
            /** @description A C2SP signed note over the content */
            note: string;
            /** @description orgId, issuedAt, expiresAt, stamp, limits, rules, exemptions */
            content: {
                [key: string]: unknown;
            };
        };
        ChainAnchor: {
            throughSeq: number;
            hash: string;
        };
        ChainCheckpoint: {
            size: number;
            verified: boolean;
        };
        ChainDoubt: {
            code: string;
            text: string;
        };
        ChainHead: {
            seq: number;
            hash: string;
        };
        CheckEntry: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            userId: string | null;
            /** @enum {unknown} */
            target: "plugin" | "pipeline";
            /** @enum {unknown} */
            action: "upload" | "create" | "update" | "deploy" | "restore" | "recheck" | "scan";
            entityId: string | null;
            entityName: string | null;
            /** @enum {unknown} */
            result: "pass" | "warn" | "block";
            violations: components["schemas"]["Violation"][];
            observed: components["schemas"]["Violation"][];
            /** @description Violations that there would be without an exemption; they count nowhere. Absent where there is none */
            exempted?: components["schemas"]["Exempted"][];
            ruleCount: number;
            rulesSkipped: number;
            exemptionsApplied: string[];
            /** @description SHA-256 over the JSON text of the attributes */
            attributesHash: string;
            scanId: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
        };
        ComplianceEventTakeBody: {
            /** @description A UUID */
            eventId: string;
            /** @description A UUID */
            entityId: string;
            /** @description A UUID */
            orgId: string;
            /** @description Ignored: the organization itself says it */
            parentOrgId?: string | null;
            /** @enum {unknown} */
            target: "plugin" | "pipeline";
            /** @enum {unknown} */
            eventType: "created" | "updated" | "deleted" | "restored";
            userId?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            timestamp: string;
            entityName?: string | null;
            /** @description As rules read them */
            attributes?: {
                [key: string]: unknown;
            };
        };
        CompliancePipelineValidateAnswer: {
            /** @description No violation of any severity */
            passed: boolean;
            /** @description At least one violation that is not a warning */
            blocked: boolean;
            violations: components["schemas"]["Violation"][];
            /** @description The violations of severity `warning`, again */
            warnings: components["schemas"]["Violation"][];
            /** @description Violations of rules in rollout `observe`; they count nowhere */
            observed: components["schemas"]["Violation"][];
            rulesEvaluated: number;
            rulesSkipped: number;
            exemptionsApplied: string[];
            skipped: components["schemas"]["Skipped"][];
            /** @description Violations that there would be without an exemption; they count nowhere. Absent where there is none */
            exempted?: components["schemas"]["Exempted"][];
            /** @description Rules that read a text with a token that has no value yet, and judged it as it is written; at most 20. Absent where none did */
            unresolved?: components["schemas"]["Unresolved"][];
            checkId: string | null;
        };
        CompliancePipelineValidateBody: {
            /** @description The entity as rules see it; values under `env` and `buildArgs` are best left out */
            attributes: {
                [key: string]: unknown;
            };
            /** @description A UUID */
            entityId?: string;
            entityName?: string;
            /**
             * @default create
             * @enum {unknown}
             */
            action?: "upload" | "create" | "update" | "deploy" | "restore";
        };
        CompliancePipelineValidateDryRunBody: {
            /** @description The entity as rules see it; values under `env` and `buildArgs` are best left out */
            attributes: {
                [key: string]: unknown;
            };
            /** @description A UUID */
            entityId?: string;
            /**
             * Format: date-time
             * @description By what was in force at this instant of the past; 409 before the first that can be told
             */
            asOf?: string;
        };
        CompliancePluginValidateBody: {
            /** @description The entity as rules see it; values under `env` and `buildArgs` are best left out */
            attributes: {
                [key: string]: unknown;
            };
            /** @description A UUID */
            entityId?: string;
            entityName?: string;
            /**
             * @default upload
             * @enum {unknown}
             */
            action?: "upload" | "create" | "update" | "deploy" | "restore";
        };
        ComplianceRole: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            /** @description A UUID */
            userId: string;
            /** @enum {unknown} */
            role: "viewer" | "editor" | "admin";
            grantedBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
        };
        ComplianceRoleGrantBody: {
            /** @enum {unknown} */
            role: "viewer" | "editor" | "admin";
        };
        ComplianceStatus: {
            /**
             * @description Of the last check: at its last change, or at a re-check by the rules of later
             * @enum {string}
             */
            result: "passed" | "warned" | "blocked";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            checkedAt: string;
        };
        ComplianceTemplate: {
            id: string;
            name: string;
            description: string;
            /** @enum {unknown} */
            target: "plugin" | "pipeline";
            /** @enum {unknown} */
            severity: "warning" | "error" | "critical";
            field: string;
            operator: components["schemas"]["Operator"];
            value?: unknown;
            priority: number;
            tags: string[];
            category: string;
        };
        ComplianceTemplateApplyAnswer: {
            created: number;
            skipped: components["schemas"]["ComplianceTemplateSkipped"][];
            ruleIds: string[];
        };
        /**
         * @example {
         *       "templateId": "tpl-require-description"
         *     }
         */
        ComplianceTemplateApplyBody: {
            templateIds?: string[];
            /** @description In place of `templateIds` */
            templateId?: string;
        };
        ComplianceTemplateCloneBody: {
            ruleIds: string[];
        };
        ComplianceTemplateSkipped: {
            id: string;
            /** @enum {unknown} */
            reason: "unknown_template" | "name_taken";
        };
        Condition: {
            /** @description A path such as `labels["team.name"]` or `$count(secrets)` */
            field?: string;
            operator?: components["schemas"]["Operator"];
            /** @description What the attribute is compared with; its type depends on the operator */
            value?: unknown;
            /** @description Id of the rule that must have passed, or its name */
            dependsOnRule?: string;
        };
        ConfigFeature: {
            billing: boolean;
            email: boolean;
            oauth: boolean;
            ai: boolean;
            /** @description A builder has asked for work lately */
            builder: boolean;
            registry: boolean;
        };
        Contract: {
            requiredMetadata: string[];
            requiredVars: string[];
            metadataTypes: {
                [key: string]: string;
            };
            varsTypes: {
                [key: string]: string;
            };
        };
        DeletedListAnswer: {
            plugins: components["schemas"]["Plugin"][];
            pagination: components["schemas"]["Pagination"];
        };
        DlqJob: {
            /** @description A UUID */
            id: string;
            name: string;
            pluginName: string;
            version: string;
            /** @description A UUID */
            orgId: string;
            error: string | null;
            attemptsMade: number;
            maxAttempts: number;
            failedAt: string | null;
            category: ("docker-build" | "template" | "quota" | "timeout" | "auth-secrets" | "network" | "validation" | "other" | "unknown") | null;
            /** @enum {string} */
            failureCategory: "retryable" | "permanent";
            lastError: string | null;
            totalAttempts: number;
            /** @description It is not tried again by itself */
            exhausted: boolean;
            nextRetryAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
        };
        EntitlementSyncBody: {
            sets: string[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            occurredAt?: string;
        };
        EntityKey: {
            project?: string;
            organization?: string;
            name?: string;
            /** @description `*` is every version */
            version?: string;
        };
        Exempted: {
            exemptionId: string;
            reason: string | null;
            expiresAt: string | null;
            violation: components["schemas"]["Violation"];
        };
        Exemption: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            /** @description The organization that decides: the owner of an inherited rule */
            reviewOrgId: string;
            /** @description A UUID */
            ruleId: string;
            /** @enum {unknown} */
            entityType: "plugin" | "pipeline";
            entityId: string | null;
            entityKey: components["schemas"]["EntityKey"] | null;
            entityName: string | null;
            isStored: boolean | null;
            reason: string;
            expiresAt: string | null;
            /** @enum {unknown} */
            status: "pending" | "approved" | "rejected" | "expired" | "revoked";
            reviewedBy: string | null;
            reviewedAt: string | null;
            approvedBy: string | null;
            rejectionReason: string | null;
            revision: number;
            createdBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            updatedBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
        };
        ExemptionBulkCreateBody: {
            exemptions: components["schemas"]["ExemptionCreateBody"][];
        };
        ExemptionCreateAnswer: {
            exemption: components["schemas"]["Exemption"];
        };
        ExemptionCreateBody: {
            /** @description A UUID */
            ruleId: string;
            /** @enum {unknown} */
            entityType: "plugin" | "pipeline";
            /** @description A UUID */
            entityId?: string;
            /** @description `{project, organization}` of a pipeline, `{name, version}` of a plugin */
            entityKey?: components["schemas"]["ExemptionCreateBodyEntityKey"];
            entityName?: string | null;
            reason: string;
            expiresAt?: string | null;
        };
        ExemptionCreateBodyEntityKey: {
            /** @description Of a pipeline */
            project?: string;
            /** @description Of a pipeline */
            organization?: string;
            /** @description Of a plugin */
            name?: string;
            /** @description Exactly this version; `*` for every version, now and later */
            version?: string;
        };
        ExemptionReviewBody: {
            /** @enum {unknown} */
            status: "approved" | "rejected";
            rejectionReason?: string | null;
        };
        Failure: {
            field: string;
            operator: string;
            /** @description As `expectedValue` of a violation */
            expected: unknown;
            /** @description As `actualValue` of a violation; null when absent */
            actual: unknown;
        };
        /** @enum {unknown} */
        Feature: "priority_support" | "ai_generation" | "bulk_operations" | "custom_integrations" | "audit_log" | "sso" | "advanced_reporting" | "team_usage_analytics" | "compliance_standard" | "compliance_advanced";
        Filter: {
            /** @description A UUID */
            orgId: string;
            /** @description These records alone */
            entityIds?: string[];
            /** @description A part of the name */
            name?: string;
            /** @enum {unknown} */
            accessModifier?: "public" | "private";
            isDefault?: boolean;
        };
        IdentityRole: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            name: string;
            description: string;
            permissions: string[];
            builtIn: boolean;
            /** @enum {unknown} */
            grantsLevel: "superadmin" | "admin" | "member";
            memberCount: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            revision: number;
            members: {
                /** @description A UUID */
                id: string;
                username: string;
                email: string;
            }[];
        };
        IdentityRoleAssignBody: {
            /** @description A UUID */
            userId?: string;
            /** Format: email */
            email?: string;
        };
        IdentityRoleCreate: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            name: string;
            description: string;
            permissions: string[];
            builtIn: boolean;
            /** @enum {unknown} */
            grantsLevel: "superadmin" | "admin" | "member";
            memberCount: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            revision: number;
        };
        IdentityRoleCreateAnswer: {
            role: components["schemas"]["IdentityRoleCreate"];
        };
        IdentityRoleCreateBody: {
            name: string;
            description?: string;
            permissions: components["schemas"]["Permission"][];
        };
        IdentityRoleUpdateBody: {
            name?: string;
            description?: string;
            permissions?: components["schemas"]["Permission"][];
        };
        InboxReadAnswer: {
            /** @description Messages that were unread before */
            marked: number;
        };
        Input: {
            name: string;
            label?: string;
            description?: string;
            /** @enum {string} */
            type: "string" | "number" | "boolean";
            required?: boolean;
            default?: string | number | boolean;
            options?: string[];
        };
        Invitation: {
            /** @description A UUID */
            id: string;
            email: string;
            /** @description A UUID */
            orgId: string;
            /** @enum {unknown} */
            role: "admin" | "member";
            roleIds: string[];
            /** @description A UUID */
            invitedBy: string;
            /** @enum {unknown} */
            status: "pending" | "accepted" | "declined" | "revoked" | "expired";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            expiresAt: string;
            /** @enum {unknown} */
            invitationType: "any" | "email";
            allowedOAuthProviders: string[];
            acceptedAt: string | null;
            acceptedBy: string | null;
            acceptedVia: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            sentAt: string;
            sendCount: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
        };
        InvitationAcceptNewBody: {
            token: string;
            /** @description Letters, digits, dot, underscore and hyphen */
            username: string;
            password: string;
        };
        InvitationMembership: {
            /** @description A UUID */
            userId: string;
            /** @enum {unknown} */
            role: "admin" | "member";
        };
        InvitationOrganization: {
            /** @description A UUID */
            id: string;
            name: string;
            slug: string;
        };
        InvitationSendBody: {
            /** Format: email */
            email: string;
            /** @enum {unknown} */
            role?: "admin" | "member";
            roleIds?: string[];
            /** @enum {unknown} */
            invitationType?: "any" | "email";
            message?: string;
        };
        InvitationViewOrganization: {
            name: string;
        };
        Link: {
            title: string;
            /** @description http or https */
            url: string;
            icon?: string;
        };
        MeMembership: {
            /** @description A UUID */
            organizationId: string;
            name: string;
            slug: string;
            parentOrgId: string | null;
            /** @enum {unknown} */
            role: "owner" | "admin" | "member";
            isActive: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            joinedAt: string;
        };
        MeOrganization: {
            /** @description A UUID */
            id: string;
            name: string;
            slug: string;
            tier: string;
            role: ("owner" | "admin" | "member") | null;
        };
        MeSetPreferencesBody: {
            favorites: string[];
            recents: string[];
        };
        MeUpdateBody: {
            /** @description Letters, digits, dot, underscore and hyphen */
            username?: string;
            /** Format: email */
            email?: string;
        };
        MeUser: {
            /** @description A UUID */
            id: string;
            username: string;
            email: string;
            pendingEmail: string | null;
            isEmailVerified: boolean;
            mustChangePassword: boolean;
            mfaEnabled: boolean;
            isSuperAdmin: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            lastActiveAt: string | null;
        };
        Member: {
            /** @description A UUID */
            id: string;
            username: string;
            email: string;
            /** @enum {unknown} */
            role: "owner" | "admin" | "member";
            isEmailVerified: boolean;
            isActive: boolean;
            isOwner: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            joinedAt: string;
            lastActiveAt: string | null;
            roles: components["schemas"]["MemberRole"][];
        };
        MemberActivateAnswer: {
            member: components["schemas"]["Member"];
        };
        /**
         * @example {
         *       "email": "ann@example.com",
         *       "role": "member"
         *     }
         */
        MemberAddBody: {
            /** @description A UUID */
            userId?: string;
            /** Format: email */
            email?: string;
            /** @enum {unknown} */
            role?: "admin" | "member";
            roleIds?: string[];
        };
        MemberBulkAddBody: {
            /** @description A UUID */
            userId?: string;
            /** Format: email */
            email?: string;
            orgIds: string[];
            /** @enum {unknown} */
            role?: "admin" | "member";
        };
        MemberResult: {
            /** @description A UUID */
            orgId: string;
            /** @enum {unknown} */
            status: "added" | "already_member" | "seat_limit";
        };
        MemberRole: {
            /** @description A UUID */
            id: string;
            name: string;
        };
        MemberSetRoleBody: {
            /** @enum {unknown} */
            role: "admin" | "member";
        };
        Message: {
            /** @description A UUID */
            id: string;
            /** @description The organization of the sender */
            orgId: string;
            createdBy: string;
            senderName: string;
            senderOrgName: string;
            threadId: string | null;
            /** @description `*` for everybody */
            recipientOrgId: string;
            recipientOrgName: string;
            recipientUserId: string | null;
            /** @enum {string} */
            messageType: "announcement" | "conversation";
            channel: string | null;
            subject: string;
            content: string;
            /** @enum {string} */
            priority: "normal" | "high" | "urgent";
            /** @description By the caller, who has read what they wrote themselves */
            isRead: boolean;
            readAt: string | null;
            /** @description Of a thread, messages that the caller has not read; of a reply 0 or 1 */
            unreadCount: number;
            replyCount: number;
            lastReplyAt: string | null;
            attachmentCount: number;
            editedAt: string | null;
            deletedAt: string | null;
            revision: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
        };
        MessageDeleteAnswer: {
            /** @description A UUID */
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            deletedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            purgeAfter: string;
        };
        MessageEditBody: {
            content: string;
        };
        MessageGetAnswer: {
            message: components["schemas"]["Message"];
        };
        MessageListDeleted: {
            /** @description A UUID */
            id: string;
            /** @description The organization of the sender */
            orgId: string;
            createdBy: string;
            senderName: string;
            senderOrgName: string;
            threadId: string | null;
            /** @description `*` for everybody */
            recipientOrgId: string;
            recipientOrgName: string;
            recipientUserId: string | null;
            /** @enum {string} */
            messageType: "announcement" | "conversation";
            channel: string | null;
            subject: string;
            content: string;
            /** @enum {string} */
            priority: "normal" | "high" | "urgent";
            /** @description By the caller, who has read what they wrote themselves */
            isRead: boolean;
            readAt: string | null;
            /** @description Of a thread, messages that the caller has not read; of a reply 0 or 1 */
            unreadCount: number;
            replyCount: number;
            lastReplyAt: string | null;
            attachmentCount: number;
            editedAt: string | null;
            deletedAt: string | null;
            revision: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            purgeAfter: string;
        };
        MessagePurgeAnswer: {
            /** @description A UUID */
            id: string;
            /** @constant */
            purged: true;
        };
        MessageReplyBody: {
            content: string;
            /** @description Your own uploads that no message has yet */
            attachmentIds?: string[];
        };
        MessageSendBody: {
            /** @description An id, `*` for everybody, or a name of support */
            recipientOrgId: string;
            /** @description The one member there who sees it; not with an announcement */
            recipientUserId?: string;
            /**
             * @description Follows from the recipient
             * @enum {string}
             */
            messageType?: "announcement" | "conversation";
            subject: string;
            content: string;
            /**
             * @default normal
             * @enum {string}
             */
            priority?: "normal" | "high" | "urgent";
            /** @description Groups messages of one kind */
            channel?: string;
            /** @description Your own uploads that no message has yet */
            attachmentIds?: string[];
        };
        MfaConfirmTotpBody: {
            code: string;
        };
        NotificationLogEntry: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            /** @description `id` of the payload */
            eventId: string;
            /** @description The same in every attempt of a delivery; receivers of webhooks get it */
            deliveryId: string;
            /** @enum {unknown} */
            event: "compliance.block" | "compliance.warning" | "compliance.scan" | "compliance.rule-change" | "compliance.digest";
            /** @enum {unknown} */
            channel: "in-app" | "email" | "webhook" | "digest";
            /** @enum {unknown} */
            status: "pending" | "sent" | "retrying" | "failed";
            attempt: number;
            payload: {
                [key: string]: unknown;
            };
            responseCode: number | null;
            error: string | null;
            nextRetryAt: string | null;
            relatedAuditId: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
        };
        /** @enum {unknown} */
        Operator: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains" | "in" | "notIn" | "regex" | "exists" | "notExists" | "notEmpty" | "countGt" | "countLt" | "lengthGt" | "lengthLt";
        Organization: {
            /** @description A UUID */
            id: string;
            name: string;
            displayName: string;
            slug: string;
            description: string;
            parentOrgId: string | null;
            /** @description A UUID */
            rootOrgId: string;
            isTeam: boolean;
            isSystem: boolean;
            ownerId: string | null;
            tier: string;
            features: string[];
            memberCount: number;
            settings: components["schemas"]["Setting"];
            ssoConfigured: boolean;
            kmsConfigured: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            deletedAt: string | null;
            purgeAfter: string | null;
            revision: number;
        };
        OrganizationCreateBody: {
            name: string;
            displayName?: string;
            description?: string;
            /** @description A UUID */
            parentOrgId?: string;
        };
        OrganizationGetAnswer: {
            organization: components["schemas"]["Organization"];
        };
        OrganizationMembership: {
            role: ("owner" | "admin" | "member") | null;
            roles: components["schemas"]["MemberRole"][];
            permissions: string[];
        };
        OrganizationRenameBody: {
            name?: string;
            displayName?: string;
            description?: string;
            slug?: string;
        };
        OrganizationSetSeatLimitBody: {
            seats: number;
            features?: ("priority_support" | "ai_generation" | "bulk_operations" | "custom_integrations" | "audit_log" | "sso" | "advanced_reporting" | "team_usage_analytics" | "compliance_standard" | "compliance_advanced")[];
            /** @enum {unknown} */
            tier?: "developer" | "pro" | "team" | "enterprise" | "unlimited";
        };
        OrganizationSetTierBody: {
            /** @enum {unknown} */
            tier: "developer" | "pro" | "team" | "enterprise" | "unlimited";
            force?: boolean;
        };
        OrganizationSettingsBody: {
            /** @enum {unknown} */
            memberWriteScope?: "own" | "org";
        };
        OrganizationTransferOwnerBody: {
            /** @description A UUID */
            newOwnerId: string;
        };
        Origin: {
            templateId: string;
            templateVersion: number | null;
        };
        Pagination: {
            total: number;
            limit: number;
            offset: number;
            hasMore: boolean;
            nextCursor?: string;
        };
        Pat: {
            /** @description A UUID */
            id: string;
            name: string;
            /** @description The last four characters */
            hint: string;
            /** @description A UUID */
            organizationId: string;
            permissions: string[] | null;
            bindToPassword: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            expiresAt: string;
            lastUsedAt: string | null;
        };
        PatCreateBody: {
            name: string;
            /** @description Seconds; 90 days when absent */
            expiresIn?: number;
            permissions?: components["schemas"]["Permission"][];
            /** @description A UUID */
            organizationId?: string;
            /** @description Ends with the next change of the password */
            bindToPassword?: boolean;
        };
        /** @enum {string} */
        Permission: "pipelines:read" | "pipelines:write" | "pipelines:publish" | "plugins:read" | "plugins:write" | "plugins:publish" | "compliance:read" | "compliance:write" | "members:manage" | "roles:manage" | "invitations:manage" | "dashboards:read" | "dashboards:write" | "observability:read" | "observability:write" | "reports:read" | "reports:write" | "reports:rollup" | "messages:read" | "messages:write" | "billing:read" | "billing:manage" | "quotas:read" | "registry:read" | "registry:write" | "org:settings" | "org:idp" | "org:kms" | "audit:read" | "secrets:manage";
        Pipeline: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            project: string;
            organization: string;
            pipelineName: string;
            description: string;
            keywords: string[];
            /** @enum {string} */
            accessModifier: "public" | "private";
            isDefault: boolean;
            isActive: boolean;
            ownerId: string | null;
            ownerType: ("user" | "team") | null;
            /** @enum {string} */
            lifecycle: "experimental" | "production" | "deprecated";
            criticality: ("low" | "medium" | "high" | "critical") | null;
            /** @description Texts, numbers and booleans by name */
            labels: {
                [key: string]: string | number | boolean;
            };
            /** @description Where to read more */
            links: components["schemas"]["Link"][];
            origin: components["schemas"]["Origin"] | null;
            revision: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            createdBy: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            updatedBy: string;
            deletedAt: string | null;
            purgeAfter: string | null;
            /** @description The builder properties */
            props: components["schemas"]["Prop"];
            lastDeployedAt: string | null;
            complianceStatus: components["schemas"]["ComplianceStatus"] | null;
        };
        PipelineBulkCreateBody: {
            pipelines: components["schemas"]["PipelineCreateBody"][];
        };
        PipelineBulkDeleteBody: {
            ids: string[];
        };
        PipelineBulkUpdateBody: {
            ids: string[];
            data: components["schemas"]["PipelineUpdateBody"];
        };
        PipelineCompliance: {
            passed: boolean;
            blocked: boolean;
            violations: {
                [key: string]: unknown;
            }[];
            warnings: {
                [key: string]: unknown;
            }[];
        };
        PipelineCreate: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            project: string;
            organization: string;
            pipelineName: string;
            description: string;
            keywords: string[];
            /** @enum {string} */
            accessModifier: "public" | "private";
            isDefault: boolean;
            isActive: boolean;
            ownerId: string | null;
            ownerType: ("user" | "team") | null;
            /** @enum {string} */
            lifecycle: "experimental" | "production" | "deprecated";
            criticality: ("low" | "medium" | "high" | "critical") | null;
            /** @description Texts, numbers and booleans by name */
            labels: {
                [key: string]: string | number | boolean;
            };
            /** @description Where to read more */
            links: components["schemas"]["Link"][];
            origin: components["schemas"]["Origin"] | null;
            revision: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            createdBy: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            updatedBy: string;
            deletedAt: string | null;
            purgeAfter: string | null;
            /** @description The builder properties */
            props: components["schemas"]["Prop"];
        };
        PipelineCreateBody: {
            /** @description Its project */
            project: string;
            /** @description Its organization */
            organization: string;
            /** @description `<organization>-<project>-pipeline` unless said */
            pipelineName?: string;
            description?: string;
            keywords?: string[];
            /**
             * @description `public`: teams of the organization see it; of the system organization, everybody
             * @enum {string}
             */
            accessModifier?: "public" | "private";
            /** @description An inactive pipeline is not in lists by default */
            isActive?: boolean;
            /** @description A UUID */
            ownerId?: string;
            /**
             * @description Together with `ownerId`
             * @enum {string}
             */
            ownerType?: "user" | "team";
            /**
             * @description `production` unless said
             * @enum {string}
             */
            lifecycle?: "experimental" | "production" | "deprecated";
            /** @description How much rests on it; null for not said */
            criticality?: ("low" | "medium" | "high" | "critical") | null;
            /** @description Texts, numbers and booleans by name */
            labels?: {
                [key: string]: string | number | boolean;
            };
            /** @description Where to read more */
            links?: components["schemas"]["Link"][];
            /** @description The template it was made from */
            templateId?: string;
            templateVersion?: number;
            /** @description The builder properties */
            props: components["schemas"]["Prop"];
        };
        PipelineGetPlugin: {
            name: string;
            /** @description Without one, the default version */
            version?: string;
            alias?: string;
            /** @description `name`, `version`, `isDefault` and others; `version` beside it wins */
            filter?: {
                [key: string]: unknown;
            };
            /** @description Values for the plugin */
            metadata?: {
                [key: string]: unknown;
            };
        };
        PipelineIssue: {
            path: string;
            message: string;
            code: string;
        };
        PipelineItem: {
            index: number;
            /** @description A UUID */
            id?: string;
            /** @enum {string} */
            status: "created" | "updated" | "deleted" | "unchanged" | "failed";
            /** @description As in the answer of the single request */
            warnings?: components["schemas"]["PipelineWarning"][];
            complianceWarnings?: {
                [key: string]: unknown;
            }[];
            /** @description The code of the refusal */
            code?: string;
            message?: string;
            details?: {
                [key: string]: unknown;
            };
        };
        PipelineList: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId?: string;
            project?: string;
            organization?: string;
            pipelineName?: string;
            description?: string;
            keywords?: string[];
            /** @enum {string} */
            accessModifier?: "public" | "private";
            isDefault?: boolean;
            isActive?: boolean;
            ownerId?: string | null;
            ownerType?: ("user" | "team") | null;
            /** @enum {string} */
            lifecycle?: "experimental" | "production" | "deprecated";
            criticality?: ("low" | "medium" | "high" | "critical") | null;
            /** @description Texts, numbers and booleans by name */
            labels?: {
                [key: string]: string | number | boolean;
            };
            /** @description Where to read more */
            links?: components["schemas"]["Link"][];
            origin?: components["schemas"]["Origin"] | null;
            revision?: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt?: string;
            createdBy?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt?: string;
            updatedBy?: string;
            deletedAt?: string | null;
            purgeAfter?: string | null;
            /** @description The builder properties */
            props?: components["schemas"]["Prop"];
        };
        PipelineListAnswer: {
            pipelines: components["schemas"]["PipelineList"][];
            pagination: components["schemas"]["Pagination"];
        };
        PipelineQuota: {
            available: boolean;
            message: string | null;
        };
        PipelineTemplate: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            name: string;
            description: string;
            keywords: string[];
            category: string;
            inputs: components["schemas"]["Input"][];
            /** @enum {string} */
            accessModifier: "public" | "private";
            isActive: boolean;
            /** @description Grows with each change of properties or inputs */
            version: number;
            ownerId: string | null;
            ownerType: ("user" | "team") | null;
            /** @enum {string} */
            lifecycle: "experimental" | "production" | "deprecated";
            criticality: ("low" | "medium" | "high" | "critical") | null;
            /** @description Texts, numbers and booleans by name */
            labels: {
                [key: string]: string | number | boolean;
            };
            /** @description Where to read more */
            links: components["schemas"]["Link"][];
            revision: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            createdBy: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            updatedBy: string;
            deletedAt: string | null;
            purgeAfter: string | null;
            /** @description The builder properties */
            props: components["schemas"]["Prop"];
        };
        PipelineTemplateCreateBody: {
            name: string;
            description?: string;
            keywords?: string[];
            /** @description `general` unless said */
            category?: string;
            inputs?: components["schemas"]["Input"][];
            /**
             * @description `public`: teams of the organization see it; of the system organization, everybody
             * @enum {string}
             */
            accessModifier?: "public" | "private";
            isActive?: boolean;
            /** @description A UUID */
            ownerId?: string;
            /**
             * @description Together with `ownerId`
             * @enum {string}
             */
            ownerType?: "user" | "team";
            /**
             * @description `production` unless said
             * @enum {string}
             */
            lifecycle?: "experimental" | "production" | "deprecated";
            /** @description How much rests on it; null for not said */
            criticality?: ("low" | "medium" | "high" | "critical") | null;
            /** @description Texts, numbers and booleans by name */
            labels?: {
                [key: string]: string | number | boolean;
            };
            /** @description Where to read more */
            links?: components["schemas"]["Link"][];
            /** @description The builder properties */
            props: components["schemas"]["Prop"];
        };
        PipelineTemplateGetAnswer: {
            template: components["schemas"]["PipelineTemplate"];
        };
        PipelineTemplateInstantiateBody: {
            project: string;
            organization: string;
            pipelineName?: string;
            /** @description Values by the names of the inputs */
            inputs?: {
                [key: string]: string | number | boolean;
            };
        };
        PipelineTemplateList: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            name: string;
            description: string;
            keywords: string[];
            category: string;
            inputs: components["schemas"]["Input"][];
            /** @enum {string} */
            accessModifier: "public" | "private";
            isActive: boolean;
            /** @description Grows with each change of properties or inputs */
            version: number;
            ownerId: string | null;
            ownerType: ("user" | "team") | null;
            /** @enum {string} */
            lifecycle: "experimental" | "production" | "deprecated";
            criticality: ("low" | "medium" | "high" | "critical") | null;
            /** @description Texts, numbers and booleans by name */
            labels: {
                [key: string]: string | number | boolean;
            };
            /** @description Where to read more */
            links: components["schemas"]["Link"][];
            revision: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            createdBy: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            updatedBy: string;
            deletedAt: string | null;
            purgeAfter: string | null;
        };
        PipelineTemplateListAnswer: {
            templates: components["schemas"]["PipelineTemplateList"][];
            pagination: components["schemas"]["Pagination"];
        };
        PipelineTemplateUpdateBody: {
            name?: string;
            description?: string;
            keywords?: string[];
            /** @description `general` unless said */
            category?: string;
            inputs?: components["schemas"]["Input"][];
            /**
             * @description `public`: teams of the organization see it; of the system organization, everybody
             * @enum {string}
             */
            accessModifier?: "public" | "private";
            isActive?: boolean;
            /** @description A UUID */
            ownerId?: string;
            /**
             * @description Together with `ownerId`
             * @enum {string}
             */
            ownerType?: "user" | "team";
            /**
             * @description `production` unless said
             * @enum {string}
             */
            lifecycle?: "experimental" | "production" | "deprecated";
            /** @description How much rests on it; null for not said */
            criticality?: ("low" | "medium" | "high" | "critical") | null;
            /** @description Texts, numbers and booleans by name */
            labels?: {
                [key: string]: string | number | boolean;
            };
            /** @description Where to read more */
            links?: components["schemas"]["Link"][];
            /** @description The builder properties */
            props?: components["schemas"]["Prop"];
        };
        PipelineUpdateBody: {
            /** @description `<organization>-<project>-pipeline` unless said */
            pipelineName?: string;
            description?: string;
            keywords?: string[];
            /**
             * @description `public`: teams of the organization see it; of the system organization, everybody
             * @enum {string}
             */
            accessModifier?: "public" | "private";
            /** @description An inactive pipeline is not in lists by default */
            isActive?: boolean;
            /** @description A UUID */
            ownerId?: string;
            /**
             * @description Together with `ownerId`
             * @enum {string}
             */
            ownerType?: "user" | "team";
            /**
             * @description `production` unless said
             * @enum {string}
             */
            lifecycle?: "experimental" | "production" | "deprecated";
            /** @description How much rests on it; null for not said */
            criticality?: ("low" | "medium" | "high" | "critical") | null;
            /** @description Texts, numbers and booleans by name */
            labels?: {
                [key: string]: string | number | boolean;
            };
            /** @description Where to read more */
            links?: components["schemas"]["Link"][];
            /** @description The default of its project; one pipeline is */
            isDefault?: boolean;
            /** @description The builder properties */
            props?: components["schemas"]["Prop"];
        };
        PipelineWarning: {
            /** @enum {string} */
            code: "PLUGIN_NOT_FOUND" | "PLUGIN_NOT_READY" | "PLUGIN_DEPRECATED";
            message: string;
            path: string;
            plugin: string;
            version: string | null;
        };
        Plugin: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            name: string;
            version: string;
            description: string | null;
            keywords: string[];
            category: string;
            metadata: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            pluginType: "CodeBuildStep" | "ShellStep" | "ManualApprovalStep";
            /** @enum {string} */
            computeType: "SMALL" | "MEDIUM" | "LARGE" | "X2_LARGE";
            timeout: number | null;
            /** @enum {string} */
            failureBehavior: "fail" | "warn" | "ignore";
            /** @description What a build is given; never a value */
            secrets: components["schemas"]["PluginSecret"][];
            primaryOutputDirectory: string | null;
            env: {
                [key: string]: string;
            };
            buildArgs: {
                [key: string]: string;
            };
            installCommands: string[];
            commands: string[];
            dockerfile: string | null;
            baseImage: string | null;
            usesRootUser: boolean | null;
            /** @enum {string} */
            buildType: "build_image" | "prebuilt" | "metadata_only";
            /** @description What it needs of a pipeline */
            contract: components["schemas"]["Contract"];
            smokeTest: string | null;
            imageRef: string | null;
            imageDigest: string | null;
            imageSizeBytes: number | null;
            /** @enum {string} */
            buildStatus: "none" | "queued" | "building" | "ready" | "failed";
            /** @enum {string} */
            accessModifier: "public" | "private";
            isDefault: boolean;
            isActive: boolean;
            ownerId: string | null;
            ownerType: ("user" | "team") | null;
            /** @enum {string} */
            lifecycle: "experimental" | "production" | "deprecated";
            criticality: ("low" | "medium" | "high" | "critical") | null;
            /** @description Texts, numbers and booleans by name */
            labels: {
                [key: string]: string | number | boolean;
            };
            /** @description Where to read more */
            links: components["schemas"]["Link"][];
            /** @description Of the uploaded archive; 0 for a plugin that ships with the server */
            archiveBytes: number;
            archiveSha256: string | null;
            revision: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            createdBy: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            updatedBy: string;
            deletedAt: string | null;
            purgeAfter: string | null;
        };
        PluginBulkUpdateBody: {
            ids: string[];
            data: {
                isActive?: boolean;
                /**
                 * @description There is one default a name: set it singly
                 * @constant
                 */
                isDefault?: false;
                category?: string;
                description?: string | null;
                keywords?: string[];
                /** @enum {string} */
                accessModifier?: "public" | "private";
                /**
                 * @description `production` unless said
                 * @enum {string}
                 */
                lifecycle?: "experimental" | "production" | "deprecated";
                /** @description How much rests on it; null for not said */
                criticality?: ("low" | "medium" | "high" | "critical") | null;
                /** @description Texts, numbers and booleans by name */
                labels?: {
                    [key: string]: string | number | boolean;
                };
            };
        };
        PluginFindAnswer: {
            plugin: components["schemas"]["Plugin"];
            matchedCount: number;
        };
        PluginItem: {
            index: number;
            /** @description A UUID */
            id?: string;
            /** @enum {string} */
            status: "updated" | "deleted" | "failed";
            complianceWarnings?: Record<string, never>[];
            /** @description The code of the refusal */
            code?: string;
            message?: string;
            details?: {
                [key: string]: unknown;
            };
        };
        PluginLookupBody: {
            filter: {
                /** @description An id, ids with commas between, or the first 8 or more characters of one */
                id?: string;
                /** @description Holds this text, letters of either case alike */
                name?: string;
                /** @description Is named so */
                nameExact?: string;
                /** @description An exact version, or a range such as `^1.2.0` */
                version?: string;
                /** @enum {string} */
                pluginType?: "CodeBuildStep" | "ShellStep" | "ManualApprovalStep";
                /** @enum {string} */
                computeType?: "SMALL" | "MEDIUM" | "LARGE" | "X2_LARGE";
                /** @description Of this category */
                category?: string;
                /** @description Has this keyword */
                keyword?: string;
                /** @description Name, description, category or keywords hold this text */
                q?: string;
                /** @enum {string} */
                buildType?: "build_image" | "prebuilt" | "metadata_only";
                /** @enum {string} */
                buildStatus?: "none" | "queued" | "building" | "ready" | "failed";
                /**
                 * @description `public` leaves what is shared with the organization; `private` is the own ones
                 * @enum {string}
                 */
                accessModifier?: "public" | "private";
                /**
                 * @description `true` unless said, `all` beside `buildStatus`: a plugin is inactive until its image is built
                 * @enum {string}
                 */
                isActive?: "true" | "false" | "all";
                /** @description Is what a reference without a version means */
                isDefault?: boolean;
                /** @description The highest version of each name */
                latestOnly?: boolean;
                /**
                 * @description Of the own organization, or shared with it
                 * @enum {string}
                 */
                scope?: "own" | "shared";
                /** @description The id of a user or a team, `me` or `unowned` */
                ownerId?: string;
                /**
                 * @description In this part of its life
                 * @enum {string}
                 */
                lifecycle?: "experimental" | "production" | "deprecated";
                /**
                 * @description Of this criticality
                 * @enum {string}
                 */
                criticality?: "low" | "medium" | "high" | "critical";
            } & {
                [key: string]: string;
            };
        };
        PluginSecret: {
            name: string;
            required: boolean;
            description?: string;
        };
        PluginUpdateBody: {
            description?: string | null;
            keywords?: string[];
            category?: string;
            metadata?: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            pluginType?: "CodeBuildStep" | "ShellStep" | "ManualApprovalStep";
            /** @enum {string} */
            computeType?: "SMALL" | "MEDIUM" | "LARGE" | "X2_LARGE";
            timeout?: number | null;
            /** @enum {string} */
            failureBehavior?: "fail" | "warn" | "ignore";
            secrets?: components["schemas"]["PluginSecret"][];
            primaryOutputDirectory?: string | null;
            env?: {
                [key: string]: string;
            };
            commands?: string[];
            installCommands?: string[];
            dockerfile?: string | null;
            buildArgs?: {
                [key: string]: string;
            };
            isActive?: boolean;
            isDefault?: boolean;
            /** @enum {string} */
            accessModifier?: "public" | "private";
            /** @description A UUID */
            ownerId?: string;
            /**
             * @description Together with `ownerId`
             * @enum {string}
             */
            ownerType?: "user" | "team";
            /**
             * @description `production` unless said
             * @enum {string}
             */
            lifecycle?: "experimental" | "production" | "deprecated";
            /** @description How much rests on it; null for not said */
            criticality?: ("low" | "medium" | "high" | "critical") | null;
            /** @description Texts, numbers and booleans by name */
            labels?: {
                [key: string]: string | number | boolean;
            };
            /** @description Where to read more */
            links?: components["schemas"]["Link"][];
        };
        PluginWarning: {
            code: string;
            message: string;
        };
        Policy: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            name: string;
            version: string;
            description: string | null;
            tags: string[];
            isTemplate: boolean;
            /** @description Of a rule library that is sold; `unlockedBy` says what gives its rules */
            isPublished: boolean;
            unlockedBy: components["schemas"]["UnlockedBy"] | null;
            /** @description A rule whose every policy is inactive is not enforced */
            isActive: boolean;
            rules: components["schemas"]["MemberRole"][];
            revision: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            createdBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            updatedBy: string | null;
            deletedAt: string | null;
            deletedBy: string | null;
            purgeAfter: string | null;
        };
        PolicyAddedRule: {
            /** @description A UUID */
            id: string;
            name: string;
            /** @enum {unknown} */
            target: "plugin" | "pipeline";
        };
        PolicyCloneBody: {
            name?: string;
        };
        PolicyCreateBody: {
            name: string;
            isTemplate?: boolean;
            version?: string;
            description?: string | null;
            tags?: string[];
            isActive?: boolean;
            /** @description Names of own rules */
            rules?: string[];
            /** @description Ids of own rules */
            ruleIds?: string[];
        };
        PolicyDiff: {
            /** @description A UUID */
            id: string;
            name: string;
            version: string;
        };
        PolicyGetAnswer: {
            policy: components["schemas"]["Policy"];
        };
        PolicyListAnswer: {
            policies: components["schemas"]["Policy"][];
            pagination: components["schemas"]["Pagination"];
        };
        PolicyNewlyFailing: {
            /** @description Without a violation before, with one after; warnings count */
            total: number;
            /** @description The first 10, plugins before pipelines, by id */
            samples: components["schemas"]["Sample"][];
        };
        PolicyNewlyPassing: {
            /** @description With a violation before, without one after */
            total: number;
            /** @description The first 10, plugins before pipelines, by id */
            samples: components["schemas"]["Sample"][];
        };
        PolicyUpdateBody: {
            name?: string;
            version?: string;
            description?: string | null;
            tags?: string[];
            isActive?: boolean;
            /** @description Names of own rules */
            rules?: string[];
            /** @description Ids of own rules */
            ruleIds?: string[];
        };
        Preference: {
            /** @description A UUID */
            orgId: string;
            /** @description Always true: blocks are always told */
            notifyOnBlock: boolean;
            notifyOnWarning: boolean;
            emailEnabled: boolean;
            /** @enum {unknown} */
            digestMode: "immediate" | "daily" | "weekly";
            targetUsers: string[] | null;
            webhookUrl: string | null;
            hasWebhookSecret: boolean;
            lastDigestAt: string | null;
            updatedAt: string | null;
        };
        PreferenceGetAnswer: {
            preference: components["schemas"]["Preference"];
        };
        PreferenceUpdateBody: {
            /** @description Only true: blocks are always told */
            notifyOnBlock?: boolean;
            notifyOnWarning?: boolean;
            emailEnabled?: boolean;
            /** @enum {unknown} */
            digestMode?: "immediate" | "daily" | "weekly";
            targetUsers?: string[] | null;
            webhookUrl?: string | null;
            webhookSecret?: string | null;
        };
        Preview: {
            /** @description No violation of any severity */
            passed: boolean;
            /** @description At least one violation that is not a warning */
            blocked: boolean;
            violations: components["schemas"]["Violation"][];
            /** @description The violations of severity `warning`, again */
            warnings: components["schemas"]["Violation"][];
            /** @description Violations of rules in rollout `observe`; they count nowhere */
            observed: components["schemas"]["Violation"][];
            rulesEvaluated: number;
            rulesSkipped: number;
            exemptionsApplied: string[];
            skipped: components["schemas"]["Skipped"][];
            /** @description Violations that there would be without an exemption; they count nowhere. Absent where there is none */
            exempted?: components["schemas"]["Exempted"][];
            /** @description Rules that read a text with a token that has no value yet, and judged it as it is written; at most 20. Absent where none did */
            unresolved?: components["schemas"]["Unresolved"][];
        };
        Prop: {
            project?: string;
            organization?: string;
            pipelineName?: string;
            /** @description Settings of the whole pipeline */
            global?: {
                [key: string]: unknown;
            };
            /** @description Settings of every step */
            defaults?: {
                [key: string]: unknown;
            };
            /** @description The role that builds run as */
            role?: unknown;
            /** @description Values that tokens may name */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Values that tokens may name */
            vars?: {
                [key: string]: unknown;
            };
            /** @description A cron or rate expression */
            schedule?: string;
            synth: components["schemas"]["Synth"];
            stages?: components["schemas"]["Stage"][];
        };
        PublishedRuleRule: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            name: string;
            description: string | null;
            /** @enum {unknown} */
            target: "plugin" | "pipeline";
            /** @enum {unknown} */
            severity: "warning" | "error" | "critical";
            priority: number;
            /** @enum {unknown} */
            scope: "org" | "published";
            field: string | null;
            operator: components["schemas"]["Operator"] | null;
            /** @description Absent where the check takes none */
            value?: unknown;
            conditions: components["schemas"]["Condition"][] | null;
            /** @enum {unknown} */
            conditionMode: "all" | "any";
            tags: string[];
            /** @description Policies that list the rule */
            policyIds: string[];
            policyId: string | null;
            propagateToChildren: boolean;
            isTemplate: boolean;
            isActive: boolean;
            suppressNotification: boolean;
            /**
             * @description Rollout: `enforce` as declared, `warn` never blocks, `observe` shows apart and tells nobody
             * @enum {unknown}
             */
            mode: "enforce" | "warn" | "observe";
            effectiveFrom: string | null;
            effectiveUntil: string | null;
            forkedFromRuleId: string | null;
            version: number;
            /** @description The version, as `If-Match` names it */
            revision: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            createdBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            updatedBy: string | null;
            deletedAt: string | null;
            deletedBy: string | null;
            purgeAfter: string | null;
            subscribed: boolean;
            /** @description The rule is enforced */
            subscriptionActive: boolean;
        };
        QueueDlq: {
            /** @description A builder could take them now */
            waiting: number;
            active: number;
            /** @description In the last hour */
            completed: number;
            /** @description In the last day */
            failed: number;
            /** @description Their back-off is not over, or the organization has its share of the builders */
            delayed: number;
            total: number;
            exhausted: number;
        };
        QueueJob: {
            /** @description A UUID */
            id: string;
            name: string;
            pluginName: string;
            version: string;
            /** @description A UUID */
            orgId: string;
            error: string | null;
            attemptsMade: number;
            maxAttempts: number;
            failedAt: string | null;
            category: ("docker-build" | "template" | "quota" | "timeout" | "auth-secrets" | "network" | "validation" | "other" | "unknown") | null;
        };
        QueueTier: {
            /** @description A builder could take them now */
            waiting: number;
            active: number;
            /** @description In the last hour */
            completed: number;
            /** @description In the last day */
            failed: number;
            /** @description Their back-off is not over, or the organization has its share of the builders */
            delayed: number;
        };
        Quota: {
            /** @description A UUID */
            orgId: string;
            name: string;
            slug: string;
            /** @enum {unknown} */
            tier: "developer" | "pro" | "team" | "enterprise" | "unlimited";
            /** @description A UUID */
            accountOrgId: string;
            /** @description A team: limits and use are those of the account */
            pooled: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            periodStart: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            periodEnd: string;
            quotas: components["schemas"]["QuotaQuota"];
            seats: components["schemas"]["Seat"];
            features: components["schemas"]["Feature"][];
        };
        QuotaGetAnswer: {
            quota: components["schemas"]["Quota"];
        };
        QuotaIncrement: {
            /** @enum {unknown} */
            type: "plugins" | "pipelines" | "apiCalls" | "aiCalls" | "storageBytes" | "dashboards" | "alertRules" | "alertDestinations" | "idpConfigs";
            limit: number;
            used: number;
            remaining: number;
            resetAt: string | null;
        };
        QuotaIncrementBody: {
            /** @enum {unknown} */
            quotaType: "apiCalls" | "aiCalls" | "storageBytes";
            /** @default 1 */
            amount?: number;
            idempotencyKey?: string;
        };
        QuotaQuota: {
            plugins: components["schemas"]["QuotaQuotaPlugin"];
            pipelines: components["schemas"]["QuotaQuotaPlugin"];
            apiCalls: components["schemas"]["QuotaQuotaPlugin"];
            aiCalls: components["schemas"]["QuotaQuotaPlugin"];
            storageBytes: components["schemas"]["QuotaQuotaPlugin"];
            dashboards: components["schemas"]["QuotaQuotaPlugin"];
            alertRules: components["schemas"]["QuotaQuotaPlugin"];
            alertDestinations: components["schemas"]["QuotaQuotaPlugin"];
            idpConfigs: components["schemas"]["QuotaQuotaPlugin"];
        };
        QuotaQuotaPlugin: {
            /** @description −1 is unlimited */
            limit: number;
            used: number;
            /** @description What the organization may still take; −1 is unlimited */
            remaining: number;
            unlimited: boolean;
            /** @enum {unknown} */
            kind: "capacity" | "metered";
            resetAt: string | null;
            /** @description The tier's */
            baseline: number;
            /** @description What add-ons grant */
            addons: number;
            override: number | null;
            team: components["schemas"]["QuotaQuotaPluginTeam"] | null;
        };
        QuotaQuotaPluginTeam: {
            /** @description −1 is unlimited */
            limit: number;
            used: number;
        };
        QuotaResetBody: {
            /** @enum {unknown} */
            quotaType?: "plugins" | "pipelines" | "apiCalls" | "aiCalls" | "storageBytes" | "dashboards" | "alertRules" | "alertDestinations" | "idpConfigs";
        };
        QuotaStatus: {
            /** @description −1 is unlimited */
            limit: number;
            used: number;
            remaining: number;
            /** @description One more would be let through */
            allowed: boolean;
            unlimited: boolean;
            resetAt: string | null;
            /** @enum {unknown} */
            kind: "capacity" | "metered";
        };
        QuotaUpdateBody: {
            /** @enum {unknown} */
            tier?: "developer" | "pro" | "team" | "enterprise" | "unlimited";
            quotas?: components["schemas"]["QuotaUpdateBodyQuota"];
            teams?: {
                [key: string]: components["schemas"]["QuotaUpdateBodyQuota"];
            };
            /** @description Also below what is used */
            force?: boolean;
        };
        QuotaUpdateBodyQuota: {
            plugins?: number | null;
            pipelines?: number | null;
            apiCalls?: number | null;
            aiCalls?: number | null;
            storageBytes?: number | null;
            dashboards?: number | null;
            alertRules?: number | null;
            alertDestinations?: number | null;
            idpConfigs?: number | null;
        };
        Registry: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            pipelineId: string;
            /** @description A UUID */
            orgId: string;
            resourceId: string | null;
            pipelineName: string;
            /** @enum {string} */
            target: "aws" | "generic";
            region: string | null;
            project: string;
            organization: string;
            stackName: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            lastDeployed: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
        };
        RegistryRegisterBody: {
            /** @description A UUID */
            pipelineId: string;
            pipelineName?: string;
            resourceId?: string;
            /** @enum {unknown} */
            target?: "aws" | "generic";
            region?: string;
            project?: string;
            organization?: string;
            stackName?: string;
        };
        Revision: {
            revision: number;
            /** @enum {string} */
            change: "created" | "updated" | "deleted" | "restored";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            changedAt: string;
            changedBy: string;
            pipeline: components["schemas"]["PipelineCreate"];
        };
        RevisionChange: {
            /** @enum {string} */
            op: "add" | "remove" | "replace";
            /** @description JSON pointer into the pipeline */
            path: string;
            before?: unknown;
            after?: unknown;
        };
        RevisionList: {
            revision: number;
            /** @enum {string} */
            change: "created" | "updated" | "deleted" | "restored";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            changedAt: string;
            changedBy: string;
        };
        Rule: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            name: string;
            description: string | null;
            /** @enum {unknown} */
            target: "plugin" | "pipeline";
            /** @enum {unknown} */
            severity: "warning" | "error" | "critical";
            priority: number;
            /** @enum {unknown} */
            scope: "org" | "published";
            field: string | null;
            operator: components["schemas"]["Operator"] | null;
            /** @description Absent where the check takes none */
            value?: unknown;
            conditions: components["schemas"]["Condition"][] | null;
            /** @enum {unknown} */
            conditionMode: "all" | "any";
            tags: string[];
            /** @description Policies that list the rule */
            policyIds: string[];
            policyId: string | null;
            propagateToChildren: boolean;
            isTemplate: boolean;
            isActive: boolean;
            suppressNotification: boolean;
            /**
             * @description Rollout: `enforce` as declared, `warn` never blocks, `observe` shows apart and tells nobody
             * @enum {unknown}
             */
            mode: "enforce" | "warn" | "observe";
            effectiveFrom: string | null;
            effectiveUntil: string | null;
            forkedFromRuleId: string | null;
            version: number;
            /** @description The version, as `If-Match` names it */
            revision: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            createdBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            updatedBy: string | null;
            deletedAt: string | null;
            deletedBy: string | null;
            purgeAfter: string | null;
        };
        /**
         * @example {
         *       "name": "plugin-says-what-it-does",
         *       "target": "plugin",
         *       "severity": "warning",
         *       "field": "description",
         *       "operator": "notEmpty"
         *     }
         */
        RuleCreateBody: {
            name: string;
            /** @enum {unknown} */
            target: "plugin" | "pipeline";
            /** @enum {unknown} */
            scope?: "org" | "published";
            /** @description For the system organization: a rule to be cloned */
            isTemplate?: boolean;
            description?: string | null;
            /** @enum {unknown} */
            severity?: "warning" | "error" | "critical";
            /** @description 0 to 10000; higher is evaluated first */
            priority?: number;
            field?: string | null;
            operator?: components["schemas"]["Operator"] | null;
            /** @description What the attribute is compared with; its type depends on the operator */
            value?: unknown;
            conditions?: components["schemas"]["Condition"][] | null;
            conditionMode?: ("all" | "any") | null;
            tags?: string[];
            /** @description The teams of the organization are held to it too */
            propagateToChildren?: boolean;
            policyId?: string | null;
            isActive?: boolean;
            suppressNotification?: boolean;
            /**
             * @description Rollout: `enforce` as declared, `warn` never blocks, `observe` shows apart and tells nobody
             * @enum {unknown}
             */
            mode?: "enforce" | "warn" | "observe";
            effectiveFrom?: string | null;
            effectiveUntil?: string | null;
        };
        RuleGetAnswer: {
            rule: components["schemas"]["Rule"];
        };
        RuleHistory: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            ruleId: string;
            /** @description A UUID */
            orgId: string;
            version: number;
            /** @enum {unknown} */
            changeType: "created" | "updated" | "deleted" | "restored";
            previousState: {
                [key: string]: unknown;
            } | null;
            changedBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            changedAt: string;
        };
        RuleListAnswer: {
            rules: components["schemas"]["Rule"][];
            pagination: components["schemas"]["Pagination"];
        };
        RuleUpdateBody: {
            name?: string;
            /** @enum {unknown} */
            target?: "plugin" | "pipeline";
            /** @enum {unknown} */
            scope?: "org" | "published";
            isTemplate?: boolean;
            description?: string | null;
            /** @enum {unknown} */
            severity?: "warning" | "error" | "critical";
            /** @description 0 to 10000; higher is evaluated first */
            priority?: number;
            field?: string | null;
            operator?: components["schemas"]["Operator"] | null;
            /** @description What the attribute is compared with; its type depends on the operator */
            value?: unknown;
            conditions?: components["schemas"]["Condition"][] | null;
            conditionMode?: ("all" | "any") | null;
            tags?: string[];
            /** @description The teams of the organization are held to it too */
            propagateToChildren?: boolean;
            policyId?: string | null;
            isActive?: boolean;
            suppressNotification?: boolean;
            /**
             * @description Rollout: `enforce` as declared, `warn` never blocks, `observe` shows apart and tells nobody
             * @enum {unknown}
             */
            mode?: "enforce" | "warn" | "observe";
            effectiveFrom?: string | null;
            effectiveUntil?: string | null;
            /** @description Why; required when `mode` leaves `enforce` */
            reason?: string;
        };
        Sample: {
            /** @enum {unknown} */
            entityType: "plugin" | "pipeline";
            entityId: string;
            entityName: string;
            /** @enum {unknown} */
            before: "pass" | "warn" | "block";
            /** @enum {unknown} */
            after: "pass" | "warn" | "block";
            /** @description Names of the rules that are violated on one side alone */
            rules: string[];
        };
        Scan: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            userId: string | null;
            /** @enum {unknown} */
            target: "plugin" | "pipeline" | "all";
            filter: components["schemas"]["Filter"] | null;
            /** @description Leaves no entries in the check log and tells nobody */
            dryRun: boolean;
            /** @enum {unknown} */
            triggeredBy: "manual" | "scheduled" | "rule-change" | "rule-dry-run";
            /** @enum {unknown} */
            status: "pending" | "running" | "completed" | "failed" | "cancelled";
            /** @description Counted when the scan began; grows with what is added meanwhile */
            totalEntities: number;
            /** @description The sum of the three counts */
            processedEntities: number;
            /** @description Without a violation */
            passCount: number;
            /** @description With warnings alone */
            warnCount: number;
            /** @description With a violation that blocks */
            blockCount: number;
            errorMessage: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            startedAt: string | null;
            completedAt: string | null;
            cancelledAt: string | null;
            cancelledBy: string | null;
        };
        ScanCreateBody: {
            /** @enum {unknown} */
            target: "plugin" | "pipeline" | "all";
            filter?: {
                /** @description Replaced by the own organization */
                orgId?: string;
                /** @description These records alone */
                entityIds?: string[];
                /** @description A part of the name */
                name?: string;
                /** @enum {unknown} */
                accessModifier?: "public" | "private";
                isDefault?: boolean;
            } | null;
            /**
             * @description Counts alone: no entries in the check log, no notice
             * @default false
             */
            dryRun?: boolean;
        };
        ScanGetAnswer: {
            scan: components["schemas"]["Scan"];
        };
        ScanScheduleActivateBody: {
            isActive: boolean;
        };
        ScanScheduleCreateAnswer: {
            schedule: components["schemas"]["ScanScheduleSchedule"];
        };
        ScanScheduleCreateBody: {
            /** @enum {unknown} */
            target: "plugin" | "pipeline" | "all";
            /** @description Five fields in UTC: minute, hour, day of month, month, day of week; such as `30 2 * * MON-FRI` */
            cronExpression: string;
            /** @default true */
            isActive?: boolean;
        };
        ScanScheduleSchedule: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            /** @enum {unknown} */
            target: "plugin" | "pipeline" | "all";
            cronExpression: string;
            isActive: boolean;
            lastRunAt: string | null;
            nextRunAt: string | null;
            revision: number;
            createdBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            updatedBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
        };
        ScanScheduleUpdateBody: {
            /** @enum {unknown} */
            target?: "plugin" | "pipeline" | "all";
            /** @description Five fields in UTC: minute, hour, day of month, month, day of week; such as `30 2 * * MON-FRI` */
            cronExpression?: string;
        };
        /** @enum {string} */
        Scope: "reporting:ingest" | "registry:deploy" | "pipelines:read" | "plugins:read" | "compliance:validate" | "images:pull" | "images:push" | "quota:increment" | "quota:reset" | "entitlements:sync" | "retention:sync" | "seats:sync" | "members:probe" | "audit:ingest" | "compliance:check" | "compliance:events" | "messages:notify";
        Seat: {
            /** @description −1 is unlimited */
            limit: number;
            used: number;
            pending: number;
            /** @description −1 is unlimited */
            remaining: number;
        };
        Secret: {
            name: string;
            /** @description Where a build finds it */
            path: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            updatedBy: string;
        };
        SecretSetBody: {
            value: string;
        };
        ServicePrincipal: {
            /** @description A UUID */
            id: string;
            orgId: string | null;
            name: string;
            clientId: string;
            /** @description The last four characters of the secret */
            secretHint: string;
            scopes: string[];
            includeTeams: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            expiresAt: string;
            lastUsedAt: string | null;
            disabledAt: string | null;
            createdBy: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            revision: number;
        };
        ServicePrincipalCreateAnswer: {
            servicePrincipal: components["schemas"]["ServicePrincipal"];
            /** @description Shown once */
            clientSecret: string;
        };
        ServicePrincipalCreateBody: {
            name: string;
            scopes: components["schemas"]["Scope"][];
            includeTeams?: boolean;
            expiresIn?: number;
        };
        ServicePrincipalUpdateBody: {
            name?: string;
            scopes?: components["schemas"]["Scope"][];
            includeTeams?: boolean;
            disabled?: boolean;
        };
        Session: {
            /** @description A UUID */
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            lastUsedAt: string;
            ip: string | null;
            userAgent: string | null;
            current: boolean;
        };
        Setting: {
            /** @enum {unknown} */
            memberWriteScope: "own" | "org";
            defaultRoleIds: string[];
        };
        Skipped: {
            ruleId: string;
            ruleName: string;
            reason: string;
        };
        Source: {
            /** @enum {unknown} */
            type: "s3" | "github" | "codestar" | "codecommit" | "gitlab" | "bitbucket" | "git";
            /** @description By type: a repository and a branch, or a bucket and a key */
            options: {
                [key: string]: unknown;
            };
        };
        Stage: {
            stageName: string;
            alias?: string;
            /** @description Marks a stage that deploys */
            environment?: string;
            steps: components["schemas"]["Step"][];
        };
        Step: {
            name?: string;
            /** @description A plugin by name and version */
            plugin: components["schemas"]["PipelineGetPlugin"];
            /** @description Environment of the step */
            env?: {
                [key: string]: unknown;
            };
            /** @description Values for the step */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Where it runs */
            network?: {
                [key: string]: unknown;
            };
            /** @enum {unknown} */
            position?: "pre" | "post";
            /** @description Minutes */
            timeout?: number;
            /** @enum {unknown} */
            failureBehavior?: "fail" | "warn" | "ignore";
            /** @description The step or file whose output it reads */
            inputArtifact?: unknown;
            preInstallCommands?: string[];
            postInstallCommands?: string[];
            preCommands?: string[];
            postCommands?: string[];
            /** @description What it deploys, and where */
            deploy?: {
                [key: string]: unknown;
            };
            /** @description Refused: commands are the plugin’s; use `preCommands` and `postCommands` */
            commands?: unknown;
        };
        StepUpCreateBody: {
            /** @constant */
            method: "password";
            password: string;
            /** @description The one operation that the token is for, by its operationId; any when absent */
            action?: string;
        } | {
            /** @constant */
            method: "totp";
            /** @description Six digits, or a recovery code */
            code: string;
            /** @description The one operation that the token is for, by its operationId; any when absent */
            action?: string;
        };
        Subscription: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            /** @description A UUID */
            ruleId: string;
            /** @description The rule is enforced */
            isActive: boolean;
            /**
             * @description Rollout: `enforce` as declared, `warn` never blocks, `observe` shows apart and tells nobody
             * @enum {unknown}
             */
            mode: "enforce" | "warn" | "observe";
            isPinned: boolean;
            pinnedVersion: number | null;
            pinnedAt: string | null;
            pinnedBy: string | null;
            /** @enum {unknown} */
            source: "manual" | "auto" | "entitlement";
            /** @description Somebody switched a rule of a set off: the sync leaves it so */
            optedOut: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            subscribedAt: string;
            subscribedBy: string | null;
            unsubscribedAt: string | null;
            unsubscribedBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            rule: components["schemas"]["Rule"];
            /** @description Of the rule; the one shown is the pinned one */
            latestVersion: number;
        };
        SubscriptionBulkUpdateBody: {
            ruleIds: string[];
            isActive: boolean;
        };
        SubscriptionCloneBody: {
            /** @description A UUID */
            ruleId: string;
            name?: string;
        };
        SubscriptionCreate: {
            /** @description A UUID */
            id: string;
            /** @description A UUID */
            orgId: string;
            /** @description A UUID */
            ruleId: string;
            /** @description The rule is enforced */
            isActive: boolean;
            /**
             * @description Rollout: `enforce` as declared, `warn` never blocks, `observe` shows apart and tells nobody
             * @enum {unknown}
             */
            mode: "enforce" | "warn" | "observe";
            isPinned: boolean;
            pinnedVersion: number | null;
            pinnedAt: string | null;
            pinnedBy: string | null;
            /** @enum {unknown} */
            source: "manual" | "auto" | "entitlement";
            /** @description Somebody switched a rule of a set off: the sync leaves it so */
            optedOut: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            subscribedAt: string;
            subscribedBy: string | null;
            unsubscribedAt: string | null;
            unsubscribedBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
        };
        SubscriptionCreateAnswer: {
            subscription: components["schemas"]["SubscriptionCreate"];
        };
        SubscriptionCreateBody: {
            /** @description A UUID */
            ruleId: string;
        };
        SubscriptionPreviewBody: {
            /** @description A UUID */
            ruleId?: string;
            rule?: components["schemas"]["RuleCreateBody"];
            sampleAttributes?: {
                [key: string]: unknown;
            };
        };
        SubscriptionPreviewImpactBody: {
            /** @description A UUID */
            ruleId?: string;
            rule?: components["schemas"]["RuleCreateBody"];
            /**
             * Format: date-time
             * @description By what was in force at this instant of the past; 409 before the first that can be told
             */
            asOf?: string;
        };
        SubscriptionRule: {
            id: string;
            name: string;
            description: string | null;
            /** @enum {unknown} */
            target: "plugin" | "pipeline";
            severity: string;
            priority: number;
            tags: string[];
            policyIds: string[];
            /** @enum {unknown} */
            source: "own" | "inherited" | "subscribed";
            /**
             * @description Rollout: `enforce` as declared, `warn` never blocks, `observe` shows apart and tells nobody
             * @enum {unknown}
             */
            mode: "enforce" | "warn" | "observe";
            pinned: boolean;
            version: number;
        };
        SubscriptionSample: {
            /** @enum {unknown} */
            entityType: "plugin" | "pipeline";
            entityId: string;
            entityName: string | null;
            messages: string[];
        };
        SubscriptionUpdateBody: {
            isActive?: boolean;
            /**
             * @description Rollout: `enforce` as declared, `warn` never blocks, `observe` shows apart and tells nobody
             * @enum {unknown}
             */
            mode?: "enforce" | "warn" | "observe";
            reason?: string;
        };
        SubscriptionWarning: {
            /** @enum {unknown} */
            code: "DEPENDENCY_NOT_ENFORCED";
            /** @description A UUID */
            ruleId: string;
            message: string;
        };
        SuperAdminGrantAnswer: {
            /** @description A UUID */
            id: string;
            isSuperAdmin: boolean;
        };
        Synth: {
            source: components["schemas"]["Source"];
            /** @description A plugin by name and version */
            plugin: components["schemas"]["PipelineGetPlugin"];
            /** @description Values for the step */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Environment of the step */
            env?: {
                [key: string]: unknown;
            };
            /** @description Where it runs */
            network?: {
                [key: string]: unknown;
            };
            preInstallCommands?: string[];
            postInstallCommands?: string[];
            preCommands?: string[];
            postCommands?: string[];
        };
        Team: {
            /** @description A UUID */
            orgId: string;
            orgName: string;
            slug: string;
            memberCount: number;
        };
        ThreadMessage: {
            /** @description A UUID */
            id: string;
            /** @description The organization of the sender */
            orgId: string;
            createdBy: string;
            senderName: string;
            senderOrgName: string;
            threadId: string | null;
            /** @description `*` for everybody */
            recipientOrgId: string;
            recipientOrgName: string;
            recipientUserId: string | null;
            /** @enum {string} */
            messageType: "announcement" | "conversation";
            channel: string | null;
            subject: string;
            content: string;
            /** @enum {string} */
            priority: "normal" | "high" | "urgent";
            /** @description By the caller, who has read what they wrote themselves */
            isRead: boolean;
            readAt: string | null;
            /** @description Of a thread, messages that the caller has not read; of a reply 0 or 1 */
            unreadCount: number;
            replyCount: number;
            lastReplyAt: string | null;
            attachmentCount: number;
            editedAt: string | null;
            deletedAt: string | null;
            revision: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            attachments: components["schemas"]["Attachment"][];
        };
        UnlockedBy: {
            requiredFeature: string;
            /** @description The tiers that have it */
            tiers: string[];
            /** @description The add-on that gives it to other tiers */
            addon?: string;
        };
        Unresolved: {
            ruleId: string;
            ruleName: string;
            field: string;
            token: string;
        };
        Usage: {
            name: string;
            version: string | null;
            pipelines: number;
        };
        User: {
            /** @description A UUID */
            id: string;
            username: string;
            email: string;
            isEmailVerified: boolean;
            isActive: boolean;
            isSuperAdmin: boolean;
            mustChangePassword: boolean;
            hasPassword: boolean;
            /** @description Switched on or off for this person */
            features: {
                [key: string]: boolean;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            lastActiveAt: string | null;
            revision: number;
            memberships: {
                /** @description A UUID */
                orgId: string;
                name: string;
                slug: string;
                isOwner: boolean;
                isActive: boolean;
            }[];
        };
        UserCreateBody: {
            /** @description Letters, digits, dot, underscore and hyphen */
            username: string;
            /** Format: email */
            email: string;
        };
        UserImpersonateBody: {
            reason: string;
            readOnly?: boolean;
        };
        UserList: {
            /** @description A UUID */
            id: string;
            username: string;
            email: string;
            isEmailVerified: boolean;
            isActive: boolean;
            isSuperAdmin: boolean;
            mustChangePassword: boolean;
            hasPassword: boolean;
            /** @description Switched on or off for this person */
            features: {
                [key: string]: boolean;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updatedAt: string;
            lastActiveAt: string | null;
            revision: number;
        };
        UserSetFeaturesBody: {
            priority_support?: boolean | null;
            ai_generation?: boolean | null;
            bulk_operations?: boolean | null;
            custom_integrations?: boolean | null;
            audit_log?: boolean | null;
            sso?: boolean | null;
            advanced_reporting?: boolean | null;
            team_usage_analytics?: boolean | null;
            compliance_standard?: boolean | null;
            compliance_advanced?: boolean | null;
        };
        UserUpdateBody: {
            /** @description Letters, digits, dot, underscore and hyphen */
            username?: string;
            /** Format: email */
            email?: string;
            isActive?: boolean;
        };
        Violation: {
            ruleId: string;
            ruleName: string;
            description: string | null;
            policyId: string | null;
            policyIds: string[];
            field: string;
            operator: string | null;
            /** @description Redacted and cut short where it is sensitive or long */
            expectedValue: unknown;
            /** @description As `expectedValue`; null when absent */
            actualValue: unknown;
            severity: string;
            /** @description What the rule declares, where its rollout says `warn` */
            declaredSeverity?: string;
            message: string;
            /** @enum {unknown} */
            source: "own" | "inherited" | "subscribed";
            suppressNotification: boolean;
            issue: string | null;
            /** @description The entries of a rule with `conditionMode: any`, all of which failed. Absent for other rules */
            failures?: components["schemas"]["Failure"][];
        };
    };
    responses: {
        /**
         * @description `BUILDER_UNAVAILABLE`: The server builds no images
         *
         *     `COMPLIANCE_SERVICE_UNAVAILABLE`: The compliance check could not be made, so nothing was changed
         *
         *     `SERVICE_UNAVAILABLE`: Not available now; try again
         */
        BuilderUnavailableOrComplianceServiceUnavailableOrServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 503;
                    /** @enum {unknown} */
                    code?: "BUILDER_UNAVAILABLE" | "COMPLIANCE_SERVICE_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
                };
            };
        };
        /**
         * @description `COMPLIANCE_SERVICE_UNAVAILABLE`: The compliance check could not be made, so nothing was changed
         *
         *     `SERVICE_UNAVAILABLE`: Not available now; try again
         */
        ComplianceServiceUnavailableOrServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 503;
                    /** @enum {unknown} */
                    code?: "COMPLIANCE_SERVICE_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
                };
            };
        };
        /** @description `CONFLICT`: The state does not allow it */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 409;
                    /** @enum {unknown} */
                    code?: "CONFLICT";
                };
            };
        };
        /**
         * @description `CONFLICT`: The state does not allow it
         *
         *     `DUPLICATE_ENTRY`: A unique value is taken; `details.field` names it
         */
        ConflictOrDuplicateEntry: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 409;
                    /** @enum {unknown} */
                    code?: "CONFLICT" | "DUPLICATE_ENTRY";
                };
            };
        };
        /**
         * @description `CONFLICT`: The state does not allow it
         *
         *     `DUPLICATE_ENTRY`: A unique value is taken; `details.field` names it
         *
         *     `LAST_PRIVILEGED_MEMBER`: The last holder of the role must stay
         */
        ConflictOrDuplicateEntryOrLastPrivilegedMember: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 409;
                    /** @enum {unknown} */
                    code?: "CONFLICT" | "DUPLICATE_ENTRY" | "LAST_PRIVILEGED_MEMBER";
                };
            };
        };
        /**
         * @description `CONFLICT`: The state does not allow it
         *
         *     `LAST_PRIVILEGED_MEMBER`: The last holder of the role must stay
         *
         *     `OWNER_PROTECTED`: The owner cannot be changed this way
         */
        ConflictOrLastPrivilegedMemberOrOwnerProtected: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 409;
                    /** @enum {unknown} */
                    code?: "CONFLICT" | "LAST_PRIVILEGED_MEMBER" | "OWNER_PROTECTED";
                };
            };
        };
        /**
         * @description `CONFLICT`: The state does not allow it
         *
         *     `SCAN_CONFLICT`: A scan of these records is under way, or it is over already
         */
        ConflictOrScanConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 409;
                    /** @enum {unknown} */
                    code?: "CONFLICT" | "SCAN_CONFLICT";
                };
            };
        };
        /**
         * @description `CONFLICT`: The state does not allow it
         *
         *     `SYSTEM_ROLE_IMMUTABLE`: Built-in roles cannot be changed
         */
        ConflictOrSystemRoleImmutable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 409;
                    /** @enum {unknown} */
                    code?: "CONFLICT" | "SYSTEM_ROLE_IMMUTABLE";
                };
            };
        };
        /**
         * @description `CONFLICT`: The state does not allow it
         *
         *     `TIER_OVER_CAP`: Usage is above the limits of the tier
         */
        ConflictOrTierOverCap: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 409;
                    /** @enum {unknown} */
                    code?: "CONFLICT" | "TIER_OVER_CAP";
                };
            };
        };
        /**
         * @description `INSUFFICIENT_PERMISSIONS`: Authority is missing; `details.reason` says which kind
         *
         *     `ORG_MISMATCH`: The organization in `x-org-id` is not one of the caller
         */
        Denied: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 403;
                    /** @enum {unknown} */
                    code?: "INSUFFICIENT_PERMISSIONS" | "ORG_MISMATCH";
                };
            };
        };
        /**
         * @description `COMPLIANCE_VIOLATION`: A compliance rule blocks the change
         *
         *     `INSUFFICIENT_PERMISSIONS`: Authority is missing; `details.reason` says which kind
         *
         *     `ORG_MISMATCH`: The organization in `x-org-id` is not one of the caller
         *
         *     `READ_ONLY_SESSION`: The session may read only
         */
        DeniedOrComplianceViolationOrReadOnlySession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 403;
                    /** @enum {unknown} */
                    code?: "COMPLIANCE_VIOLATION" | "INSUFFICIENT_PERMISSIONS" | "ORG_MISMATCH" | "READ_ONLY_SESSION";
                };
            };
        };
        /**
         * @description `INSUFFICIENT_PERMISSIONS`: Authority is missing; `details.reason` says which kind
         *
         *     `ORG_MISMATCH`: The organization in `x-org-id` is not one of the caller
         *
         *     `READ_ONLY_SESSION`: The session may read only
         */
        DeniedOrReadOnlySession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 403;
                    /** @enum {unknown} */
                    code?: "INSUFFICIENT_PERMISSIONS" | "ORG_MISMATCH" | "READ_ONLY_SESSION";
                };
            };
        };
        /**
         * @description `INSUFFICIENT_PERMISSIONS`: Authority is missing; `details.reason` says which kind
         *
         *     `ORG_MISMATCH`: The organization in `x-org-id` is not one of the caller
         *
         *     `READ_ONLY_SESSION`: The session may read only
         *
         *     `RESERVED_ORG`: The system organization is reserved
         */
        DeniedOrReadOnlySessionOrReservedOrg: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 403;
                    /** @enum {unknown} */
                    code?: "INSUFFICIENT_PERMISSIONS" | "ORG_MISMATCH" | "READ_ONLY_SESSION" | "RESERVED_ORG";
                };
            };
        };
        /**
         * @description `INSUFFICIENT_PERMISSIONS`: Authority is missing; `details.reason` says which kind
         *
         *     `ORG_MISMATCH`: The organization in `x-org-id` is not one of the caller
         *
         *     `READ_ONLY_SESSION`: The session may read only
         *
         *     `RESERVED_ORG`: The system organization is reserved
         *
         *     `SEAT_LIMIT`: No seat is free
         */
        DeniedOrReadOnlySessionOrReservedOrgOrSeatLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 403;
                    /** @enum {unknown} */
                    code?: "INSUFFICIENT_PERMISSIONS" | "ORG_MISMATCH" | "READ_ONLY_SESSION" | "RESERVED_ORG" | "SEAT_LIMIT";
                };
            };
        };
        /**
         * @description `INSUFFICIENT_PERMISSIONS`: Authority is missing; `details.reason` says which kind
         *
         *     `ORG_MISMATCH`: The organization in `x-org-id` is not one of the caller
         *
         *     `READ_ONLY_SESSION`: The session may read only
         *
         *     `SEAT_LIMIT`: No seat is free
         */
        DeniedOrReadOnlySessionOrSeatLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 403;
                    /** @enum {unknown} */
                    code?: "INSUFFICIENT_PERMISSIONS" | "ORG_MISMATCH" | "READ_ONLY_SESSION" | "SEAT_LIMIT";
                };
            };
        };
        /** @description `DUPLICATE_ENTRY`: A unique value is taken; `details.field` names it */
        DuplicateEntry: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 409;
                    /** @enum {unknown} */
                    code?: "DUPLICATE_ENTRY";
                };
            };
        };
        /**
         * @description `DUPLICATE_ENTRY`: A unique value is taken; `details.field` names it
         *
         *     `SYSTEM_ROLE_IMMUTABLE`: Built-in roles cannot be changed
         */
        DuplicateEntryOrSystemRoleImmutable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 409;
                    /** @enum {unknown} */
                    code?: "DUPLICATE_ENTRY" | "SYSTEM_ROLE_IMMUTABLE";
                };
            };
        };
        /**
         * @description `EMAIL_NOT_CONFIGURED`: The server has no way to send e-mail
         *
         *     `SERVICE_UNAVAILABLE`: Not available now; try again
         */
        EmailNotConfiguredOrServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 503;
                    /** @enum {unknown} */
                    code?: "EMAIL_NOT_CONFIGURED" | "SERVICE_UNAVAILABLE";
                };
            };
        };
        /** @description `IDEMPOTENCY_CONFLICT`: The event key was used for another event */
        IdempotencyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 409;
                    /** @enum {unknown} */
                    code?: "IDEMPOTENCY_CONFLICT";
                };
            };
        };
        /** @description `IDEMPOTENCY_MISMATCH`: The Idempotency-Key was used for another request */
        IdempotencyMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 422;
                    /** @enum {unknown} */
                    code?: "IDEMPOTENCY_MISMATCH";
                };
            };
        };
        /** @description `INSUFFICIENT_PERMISSIONS`: Authority is missing; `details.reason` says which kind */
        InsufficientPermissions: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 403;
                    /** @enum {unknown} */
                    code?: "INSUFFICIENT_PERMISSIONS";
                };
            };
        };
        /** @description `INTERNAL_ERROR`: An unexpected error; the request id finds it in the log */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 500;
                    /** @enum {unknown} */
                    code?: "INTERNAL_ERROR";
                };
            };
        };
        /**
         * @description `INVITATION_ACCEPTED`: The invitation was used
         *
         *     `INVITATION_DECLINED`: The invitation was declined
         *
         *     `INVITATION_EXPIRED`: The invitation has expired
         *
         *     `INVITATION_REVOKED`: The invitation was revoked
         */
        InvitationEnded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 410;
                    /** @enum {unknown} */
                    code?: "INVITATION_ACCEPTED" | "INVITATION_DECLINED" | "INVITATION_EXPIRED" | "INVITATION_REVOKED";
                };
            };
        };
        /** @description `LAST_PRIVILEGED_MEMBER`: The last holder of the role must stay */
        LastPrivilegedMember: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 409;
                    /** @enum {unknown} */
                    code?: "LAST_PRIVILEGED_MEMBER";
                };
            };
        };
        /**
         * @description `LAST_PRIVILEGED_MEMBER`: The last holder of the role must stay
         *
         *     `OWNER_PROTECTED`: The owner cannot be changed this way
         */
        LastPrivilegedMemberOrOwnerProtected: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 409;
                    /** @enum {unknown} */
                    code?: "LAST_PRIVILEGED_MEMBER" | "OWNER_PROTECTED";
                };
            };
        };
        /**
         * @description `MFA_REQUIRED`: The password is right; a second factor is needed
         *
         *     `UNAUTHORIZED`: The credentials are wrong
         */
        MfaRequiredOrUnauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 401;
                    /** @enum {unknown} */
                    code?: "MFA_REQUIRED" | "UNAUTHORIZED";
                };
            };
        };
        /**
         * @description `MISSING_REQUIRED_FIELD`: A required part of the request is absent
         *
         *     `VALIDATION_ERROR`: The request does not match the schema; `details.issues` lists every problem
         */
        MissingRequiredFieldOrValidationError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 400;
                    /** @enum {unknown} */
                    code?: "MISSING_REQUIRED_FIELD" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `NOT_FOUND`: There is no such thing for this caller */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 404;
                    /** @enum {unknown} */
                    code?: "NOT_FOUND";
                };
            };
        };
        /** @description `ORG_MISMATCH`: The organization in `x-org-id` is not one of the caller */
        OrgMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 403;
                    /** @enum {unknown} */
                    code?: "ORG_MISMATCH";
                };
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The body is larger than the limit */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 413;
                    /** @enum {unknown} */
                    code?: "PAYLOAD_TOO_LARGE";
                };
            };
        };
        /** @description `PRECONDITION_FAILED`: The record changed since it was read */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 412;
                    /** @enum {unknown} */
                    code?: "PRECONDITION_FAILED";
                };
            };
        };
        /**
         * @description `QUOTA_EXCEEDED`: A quota is used up
         *
         *     `RATE_LIMIT_EXCEEDED`: Too many requests
         */
        QuotaExceededOrRateLimitExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 429;
                    /** @enum {unknown} */
                    code?: "QUOTA_EXCEEDED" | "RATE_LIMIT_EXCEEDED";
                };
            };
        };
        /** @description `RANGE_NOT_SATISFIABLE`: The file does not have the bytes that `Range` asks for */
        RangeNotSatisfiable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 416;
                    /** @enum {unknown} */
                    code?: "RANGE_NOT_SATISFIABLE";
                };
            };
        };
        /** @description `RATE_LIMIT_EXCEEDED`: Too many requests */
        RateLimitExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 429;
                    /** @enum {unknown} */
                    code?: "RATE_LIMIT_EXCEEDED";
                };
            };
        };
        /**
         * @description `REGISTRATION_CLOSED`: New accounts are not open to everybody here
         *
         *     `RESERVED_ORG`: The system organization is reserved
         */
        RegistrationClosedOrReservedOrg: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 403;
                    /** @enum {unknown} */
                    code?: "REGISTRATION_CLOSED" | "RESERVED_ORG";
                };
            };
        };
        /**
         * @description `REGISTRATION_CLOSED`: New accounts are not open to everybody here
         *
         *     `SEAT_LIMIT`: No seat is free
         */
        RegistrationClosedOrSeatLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 403;
                    /** @enum {unknown} */
                    code?: "REGISTRATION_CLOSED" | "SEAT_LIMIT";
                };
            };
        };
        /** @description `REQUEST_TIMEOUT`: The body did not arrive in time, or the client did not wait for the answer */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 408;
                    /** @enum {unknown} */
                    code?: "REQUEST_TIMEOUT";
                };
            };
        };
        /** @description `SCAN_CONFLICT`: A scan of these records is under way, or it is over already */
        ScanConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 409;
                    /** @enum {unknown} */
                    code?: "SCAN_CONFLICT";
                };
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: Not available now; try again */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 503;
                    /** @enum {unknown} */
                    code?: "SERVICE_UNAVAILABLE";
                };
            };
        };
        /**
         * @description `TEMPLATE_CONTRACT_VIOLATION`: A template names a value that it neither asks for nor holds
         *
         *     `TEMPLATE_CYCLE`: A token names itself, directly or over others
         *
         *     `TEMPLATE_PARSE_ERROR`: A token is not written as one
         *
         *     `TEMPLATE_SECRETS_RESERVED`: Tokens name no secrets; builds are given them by `secret:<name>`
         *
         *     `TEMPLATE_SIZE_EXCEEDED`: A text with tokens is too long, or becomes too long
         *
         *     `TEMPLATE_TYPE_MISMATCH`: The value of a token has another type than is wanted
         *
         *     `TEMPLATE_UNKNOWN_PATH`: A token names a value that is not there
         *
         *     `TEMPLATE_VALIDATION_FAILED`: Several tokens are wrong; `details.issues` lists each
         *
         *     `VALIDATION_ERROR`: The request does not match the schema; `details.issues` lists every problem
         */
        TemplateOrTemplateContractViolationOrValidationError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 400;
                    /** @enum {unknown} */
                    code?: "TEMPLATE_CONTRACT_VIOLATION" | "TEMPLATE_CYCLE" | "TEMPLATE_PARSE_ERROR" | "TEMPLATE_SECRETS_RESERVED" | "TEMPLATE_SIZE_EXCEEDED" | "TEMPLATE_TYPE_MISMATCH" | "TEMPLATE_UNKNOWN_PATH" | "TEMPLATE_VALIDATION_FAILED" | "VALIDATION_ERROR";
                };
            };
        };
        /**
         * @description `TEMPLATE_CYCLE`: A token names itself, directly or over others
         *
         *     `TEMPLATE_PARSE_ERROR`: A token is not written as one
         *
         *     `TEMPLATE_SECRETS_RESERVED`: Tokens name no secrets; builds are given them by `secret:<name>`
         *
         *     `TEMPLATE_SIZE_EXCEEDED`: A text with tokens is too long, or becomes too long
         *
         *     `TEMPLATE_TYPE_MISMATCH`: The value of a token has another type than is wanted
         *
         *     `TEMPLATE_UNKNOWN_PATH`: A token names a value that is not there
         *
         *     `TEMPLATE_VALIDATION_FAILED`: Several tokens are wrong; `details.issues` lists each
         *
         *     `VALIDATION_ERROR`: The request does not match the schema; `details.issues` lists every problem
         */
        TemplateOrValidationError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 400;
                    /** @enum {unknown} */
                    code?: "TEMPLATE_CYCLE" | "TEMPLATE_PARSE_ERROR" | "TEMPLATE_SECRETS_RESERVED" | "TEMPLATE_SIZE_EXCEEDED" | "TEMPLATE_TYPE_MISMATCH" | "TEMPLATE_UNKNOWN_PATH" | "TEMPLATE_VALIDATION_FAILED" | "VALIDATION_ERROR";
                };
            };
        };
        /**
         * @description `MISSING_REQUIRED_FIELD`: A required part of the request is absent
         *
         *     `TEMPLATE_CONTRACT_VIOLATION`: A template names a value that it neither asks for nor holds
         *
         *     `TEMPLATE_PARSE_ERROR`: A token is not written as one
         *
         *     `TEMPLATE_SECRETS_RESERVED`: Tokens name no secrets; builds are given them by `secret:<name>`
         *
         *     `TEMPLATE_SIZE_EXCEEDED`: A text with tokens is too long, or becomes too long
         *
         *     `TEMPLATE_TYPE_MISMATCH`: The value of a token has another type than is wanted
         *
         *     `TEMPLATE_UNKNOWN_PATH`: A token names a value that is not there
         *
         *     `TEMPLATE_VALIDATION_FAILED`: Several tokens are wrong; `details.issues` lists each
         *
         *     `VALIDATION_ERROR`: The request does not match the schema; `details.issues` lists every problem
         */
        TemplateTextOrMissingRequiredFieldOrTemplateContractViolationOrValidationError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 400;
                    /** @enum {unknown} */
                    code?: "MISSING_REQUIRED_FIELD" | "TEMPLATE_CONTRACT_VIOLATION" | "TEMPLATE_PARSE_ERROR" | "TEMPLATE_SECRETS_RESERVED" | "TEMPLATE_SIZE_EXCEEDED" | "TEMPLATE_TYPE_MISMATCH" | "TEMPLATE_UNKNOWN_PATH" | "TEMPLATE_VALIDATION_FAILED" | "VALIDATION_ERROR";
                };
            };
        };
        /**
         * @description `TEMPLATE_CONTRACT_VIOLATION`: A template names a value that it neither asks for nor holds
         *
         *     `TEMPLATE_PARSE_ERROR`: A token is not written as one
         *
         *     `TEMPLATE_SECRETS_RESERVED`: Tokens name no secrets; builds are given them by `secret:<name>`
         *
         *     `TEMPLATE_SIZE_EXCEEDED`: A text with tokens is too long, or becomes too long
         *
         *     `TEMPLATE_TYPE_MISMATCH`: The value of a token has another type than is wanted
         *
         *     `TEMPLATE_UNKNOWN_PATH`: A token names a value that is not there
         *
         *     `TEMPLATE_VALIDATION_FAILED`: Several tokens are wrong; `details.issues` lists each
         *
         *     `VALIDATION_ERROR`: The request does not match the schema; `details.issues` lists every problem
         */
        TemplateTextOrTemplateContractViolationOrValidationError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 400;
                    /** @enum {unknown} */
                    code?: "TEMPLATE_CONTRACT_VIOLATION" | "TEMPLATE_PARSE_ERROR" | "TEMPLATE_SECRETS_RESERVED" | "TEMPLATE_SIZE_EXCEEDED" | "TEMPLATE_TYPE_MISMATCH" | "TEMPLATE_UNKNOWN_PATH" | "TEMPLATE_VALIDATION_FAILED" | "VALIDATION_ERROR";
                };
            };
        };
        /**
         * @description `TOKEN_EXPIRED`: The credential has expired
         *
         *     `TOKEN_INVALID`: The credential is malformed or its signature is wrong
         *
         *     `TOKEN_MISSING`: No credential was sent
         *
         *     `TOKEN_REVOKED`: The credential or its session was revoked
         */
        Token: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 401;
                    /** @enum {unknown} */
                    code?: "TOKEN_EXPIRED" | "TOKEN_INVALID" | "TOKEN_MISSING" | "TOKEN_REVOKED";
                };
            };
        };
        /**
         * @description `TOKEN_EXPIRED`: The credential has expired
         *
         *     `TOKEN_INVALID`: The credential is malformed or its signature is wrong
         *
         *     `UNAUTHORIZED`: The credentials are wrong
         */
        TokenExpiredOrTokenInvalidOrUnauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 401;
                    /** @enum {unknown} */
                    code?: "TOKEN_EXPIRED" | "TOKEN_INVALID" | "UNAUTHORIZED";
                };
            };
        };
        /** @description `TOKEN_INVALID`: The credential is malformed or its signature is wrong */
        TokenInvalid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 401;
                    /** @enum {unknown} */
                    code?: "TOKEN_INVALID";
                };
            };
        };
        /**
         * @description `STEP_UP_INVALID`: The step-up token is malformed or expired
         *
         *     `STEP_UP_MISMATCH`: The step-up token belongs to another session or action
         *
         *     `STEP_UP_REPLAY`: The step-up token was already used
         *
         *     `STEP_UP_REQUIRED`: The action needs a fresh confirmation of identity
         *
         *     `TOKEN_EXPIRED`: The credential has expired
         *
         *     `TOKEN_INVALID`: The credential is malformed or its signature is wrong
         *
         *     `TOKEN_MISSING`: No credential was sent
         *
         *     `TOKEN_REVOKED`: The credential or its session was revoked
         */
        TokenOrStepUp: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 401;
                    /** @enum {unknown} */
                    code?: "STEP_UP_INVALID" | "STEP_UP_MISMATCH" | "STEP_UP_REPLAY" | "STEP_UP_REQUIRED" | "TOKEN_EXPIRED" | "TOKEN_INVALID" | "TOKEN_MISSING" | "TOKEN_REVOKED";
                };
            };
        };
        /**
         * @description `STEP_UP_INVALID`: The step-up token is malformed or expired
         *
         *     `STEP_UP_MISMATCH`: The step-up token belongs to another session or action
         *
         *     `STEP_UP_REPLAY`: The step-up token was already used
         *
         *     `STEP_UP_REQUIRED`: The action needs a fresh confirmation of identity
         *
         *     `TOKEN_EXPIRED`: The credential has expired
         *
         *     `TOKEN_INVALID`: The credential is malformed or its signature is wrong
         *
         *     `TOKEN_MISSING`: No credential was sent
         *
         *     `TOKEN_REVOKED`: The credential or its session was revoked
         *
         *     `UNAUTHORIZED`: The credentials are wrong
         */
        TokenOrStepUpOrUnauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 401;
                    /** @enum {unknown} */
                    code?: "STEP_UP_INVALID" | "STEP_UP_MISMATCH" | "STEP_UP_REPLAY" | "STEP_UP_REQUIRED" | "TOKEN_EXPIRED" | "TOKEN_INVALID" | "TOKEN_MISSING" | "TOKEN_REVOKED" | "UNAUTHORIZED";
                };
            };
        };
        /**
         * @description `TOKEN_EXPIRED`: The credential has expired
         *
         *     `TOKEN_INVALID`: The credential is malformed or its signature is wrong
         *
         *     `TOKEN_MISSING`: No credential was sent
         *
         *     `TOKEN_REVOKED`: The credential or its session was revoked
         *
         *     `UNAUTHORIZED`: The credentials are wrong
         */
        TokenOrUnauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 401;
                    /** @enum {unknown} */
                    code?: "TOKEN_EXPIRED" | "TOKEN_INVALID" | "TOKEN_MISSING" | "TOKEN_REVOKED" | "UNAUTHORIZED";
                };
            };
        };
        /** @description `UNAUTHORIZED`: The credentials are wrong */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 401;
                    /** @enum {unknown} */
                    code?: "UNAUTHORIZED";
                };
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE`: The content type is not accepted */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 415;
                    /** @enum {unknown} */
                    code?: "UNSUPPORTED_MEDIA_TYPE";
                };
            };
        };
        /** @description `UPSTREAM_ERROR`: A system behind this one failed */
        UpstreamError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 502;
                    /** @enum {unknown} */
                    code?: "UPSTREAM_ERROR";
                };
            };
        };
        /** @description `VALIDATION_ERROR`: The request does not match the schema; `details.issues` lists every problem */
        ValidationError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    statusCode?: 400;
                    /** @enum {unknown} */
                    code?: "VALIDATION_ERROR";
                };
            };
        };
    };
    parameters: {
        /** @description Taken over when it has this form, else one is made */
        RequestId: string;
        /** @description The organization to work in, by id or slug; default: the active one of the credential */
        OrgId: string;
        /** @description A fresh confirmation of identity, good for one request */
        StepUpToken: string;
        /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
        IfMatch: string;
        /** @description 304 when nothing changed since this ETag */
        IfNoneMatch: string;
        /** @description Makes retries safe: one effect and one answer a key, for 24 h */
        IdempotencyKey: string;
        /** @description Resumes behind this event */
        LastEventId: string;
        /** @description One range of bytes, such as `bytes=0-1023` */
        Range: string;
    };
    requestBodies: never;
    headers: {
        /** @description Finds the request in logs and evidence */
        "X-Request-Id": string;
        /** @description The version of the API */
        "X-API-Version": "1";
        /** @description Requests in the window of the tightest bucket; absent where limits are off */
        "RateLimit-Limit": number;
        /** @description Requests left in it */
        "RateLimit-Remaining": number;
        /** @description Seconds until its oldest request leaves the window */
        "RateLimit-Reset": number;
        /** @description Seconds to wait before another try */
        "Retry-After": number;
        /** @description Which credential is missing or wrong */
        "WWW-Authenticate": string;
        /** @description `"<revision>.<hash>"` of a record, weak of a list */
        ETag: string;
        /** @description The name of the file */
        "Content-Disposition": string;
        /** @description The answer is that of the first request */
        "Idempotency-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "identity.user.impersonate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserImpersonateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `accessToken`, `tokenType`, `expiresIn`, `expiresAt` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            accessToken: string;
                            /** @constant */
                            tokenType: "Bearer";
                            expiresIn: number;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, milliseconds
                             */
                            expiresAt: string;
                            readOnly: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.admin.summary": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `organizations`, `deletedOrganizations`, `users`, `queue` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            organizations: number;
                            deletedOrganizations: number;
                            users: number;
                            queue: number;
                            dlq: number;
                            /** @description What the other domains count, by name */
                            counts: {
                                [key: string]: number;
                            };
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.user.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                sortBy?: "createdAt" | "username" | "email" | "lastActiveAt";
                sortOrder?: "asc" | "desc";
                search?: string;
                isActive?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `users`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            users: components["schemas"]["UserList"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.user.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserCreateBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `user`, `emailSent`, `resetUrl`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: {
                            user: components["schemas"]["UserList"];
                            emailSent: boolean;
                            /** @description Shown once, where the server has no e-mail */
                            resetUrl?: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.user.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `user`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            user: components["schemas"]["User"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.user.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `user`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            user: components["schemas"]["UserList"];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySessionOrSeatLimit"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntryOrLastPrivilegedMember"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.user.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LastPrivilegedMemberOrOwnerProtected"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.user.set-features": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserSetFeaturesBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `id`, `features`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            /** @description A UUID */
                            id: string;
                            features: {
                                [key: string]: boolean;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.user.reset-password": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; the work goes on. `data` holds `emailSent`, `resetUrl`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 202;
                        data: {
                            emailSent: boolean;
                            /** @description Shown once, where the server has no e-mail */
                            resetUrl?: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.super-admin.grant": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `id`, `isSuperAdmin`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["SuperAdminGrantAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.super-admin.revoke": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `id`, `isSuperAdmin`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["SuperAdminGrantAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LastPrivilegedMember"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "audit.event.list": {
        parameters: {
            query?: {
                /** @description A part of the name, upper and lower case alike */
                action?: string;
                targetType?: string;
                targetId?: string;
                actorId?: string;
                /** @description For system administrators; others see their own organization */
                orgId?: string;
                /** @description For system administrators */
                affectedOrgId?: string;
                groupId?: string;
                impersonatorId?: string;
                requestId?: string;
                outcome?: "success" | "failure";
                /** @description ISO 8601, UTC, milliseconds */
                from?: string;
                /** @description ISO 8601, UTC, milliseconds */
                to?: string;
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                sortBy?: "createdAt";
                /** @description The newest first, always */
                sortOrder?: "desc";
                /** @description `pagination.nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `events`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            events: components["schemas"]["AuditEvent"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "audit.checkpoint.get": {
        parameters: {
            query?: {
                /** @description The organization; needed by system administrators, for whom `__no-org__` names the events without one */
                orgId?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                };
            };
            400: components["responses"]["MissingRequiredFieldOrValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "audit.event.erase": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuditEventEraseBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `chains`, `identities`, `details`, `pending`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            chains: number;
                            /** @description Events that lost the personal fields */
                            identities: number;
                            /** @description Events that lost their details */
                            details: number;
                            /** @description Events that had not been sealed yet */
                            pending: number;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "audit.event.ingest": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuditEventIngestBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            id: string;
                            /** @description Its number in the chain; null when it was not sealed within 2 s. It is durable either way */
                            seq: number | null;
                            duplicate: boolean;
                            /** @description Keys of `details` that the action does not allow, and that were therefore not kept */
                            dropped: string[];
                        } | {
                            results: components["schemas"]["AuditEventResult"][];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "audit.chain.export": {
        parameters: {
            query?: {
                /** @description The organization; needed by system administrators, for whom `__no-org__` names the events without one */
                orgId?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Resumes behind this event */
                "last-event-id"?: components["parameters"]["LastEventId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, or the events as they happen */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl; charset=utf-8": string;
                };
            };
            400: components["responses"]["MissingRequiredFieldOrValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "audit.key.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                };
            };
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "audit.chain.prove": {
        parameters: {
            query?: {
                /** @description The organization; needed by system administrators, for whom `__no-org__` names the events without one */
                orgId?: string;
                seq?: number;
                from?: number;
                to?: number;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            /** @constant */
                            kind: "inclusion";
                            seq: number;
                            eventHash: string;
                            size: number;
                            root: string;
                            /** @description Hexadecimal, in the order of RFC 9162 */
                            hashes: string[];
                            /** @description The signed note */
                            checkpoint: string;
                            /** @description The same as one file (C2SP tlog-proof) */
                            tlogProof: string;
                        } | {
                            /** @constant */
                            kind: "consistency";
                            from: number;
                            size: number;
                            root: string;
                            /** @description Hexadecimal, in the order of RFC 9162 */
                            hashes: string[];
                            /** @description The signed note */
                            checkpoint: string;
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingRequiredFieldOrValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "audit.chain.verify": {
        parameters: {
            query?: {
                /** @description The organization; needed by system administrators, for whom `__no-org__` names the events without one */
                orgId?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `ok`, `verdict`, `cannotTell`, `chain` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            /** @description The verdict is not `invalid` */
                            ok: boolean;
                            /** @enum {unknown} */
                            verdict: "valid" | "invalid" | "cannot-tell";
                            /** @description Why nothing can be said */
                            cannotTell?: string;
                            chain: string;
                            /** @description Rows that were read */
                            count: number;
                            firstSeq: number | null;
                            lastSeq: number | null;
                            brokenAt?: string | null;
                            brokenSeq?: number | null;
                            /** @enum {unknown} */
                            reason?: "anchor_mismatch" | "chain_mismatch" | "sequence_gap" | "link_mismatch" | "hash_mismatch" | "malformed_row" | "backdated" | "unexplained_erasure" | "truncated" | "head_mismatch" | "checkpoint_mismatch";
                            /** @description Rows of which a half is erased, and an event says so */
                            erased: number;
                            /** @description Events that wait to be sealed */
                            pending: number;
                            /** @description Newest event that a verified checkpoint covers */
                            coveredThrough: number;
                            head: components["schemas"]["ChainHead"] | null;
                            anchor: components["schemas"]["ChainAnchor"] | null;
                            checkpoint: components["schemas"]["ChainCheckpoint"] | null;
                            /** @description What someone could still have done unnoticed */
                            doubts: components["schemas"]["ChainDoubt"][];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingRequiredFieldOrValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.auth.restore-email": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthRestoreEmailBody"];
            };
        };
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenInvalid"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["DuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.auth.jwks": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `keys`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/jwk-set+json": {
                        keys: {
                            /** @constant */
                            kty: "OKP";
                            /** @constant */
                            crv: "Ed25519";
                            x: string;
                            kid: string;
                            /** @constant */
                            alg: "EdDSA";
                            /** @constant */
                            use: "sig";
                        }[];
                    };
                };
            };
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.auth.login": {
        parameters: {
            query?: {
                /** @description 1: the refresh token as a cookie, not in the body */
                cookie?: "1" | "0";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthLoginBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `accessToken`, `refreshToken`, `tokenType`, `expiresIn` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["AuthLoginAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["MfaRequiredOrUnauthorized"];
            403: components["responses"]["OrgMismatch"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.auth.login-mfa": {
        parameters: {
            query?: {
                /** @description 1: the refresh token as a cookie, not in the body */
                cookie?: "1" | "0";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthLoginMfaBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `accessToken`, `refreshToken`, `tokenType`, `expiresIn` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["AuthLoginAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenExpiredOrTokenInvalidOrUnauthorized"];
            403: components["responses"]["OrgMismatch"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.auth.logout": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthLogoutBody"];
            };
        };
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.me.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `user`, `organization`, `memberships`, `permissions` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            user: components["schemas"]["MeUser"];
                            organization: components["schemas"]["MeOrganization"] | null;
                            memberships: components["schemas"]["MeMembership"][];
                            permissions: string[];
                            features: string[];
                            tier: string | null;
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.me.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            409: components["responses"]["LastPrivilegedMemberOrOwnerProtected"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.me.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MeUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `user`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            user: components["schemas"]["MeUser"];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["DuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.me.get-preferences": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `favorites`, `recents`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MeSetPreferencesBody"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.me.set-preferences": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MeSetPreferencesBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `favorites`, `recents`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MeSetPreferencesBody"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.mfa.delete-totp": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.mfa.confirm-totp": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MfaConfirmTotpBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `recoveryCodes`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            /** @description Ten, each good once, shown only now */
                            recoveryCodes: string[];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUpOrUnauthorized"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.mfa.enroll-totp": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthSendVerificationBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `secret`, `uri`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: {
                            /** @description Base32, for typing it in */
                            secret: string;
                            /** @description `otpauth://…`, for a QR code */
                            uri: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.auth.change-password": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthChangePasswordBody"];
            };
        };
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUpOrUnauthorized"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.auth.forgot-password": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthForgotPasswordBody"];
            };
        };
        responses: {
            /** @description Accepted; the work goes on. `data` holds `accepted`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 202;
                        data: {
                            /** @constant */
                            accepted: true;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["EmailNotConfiguredOrServiceUnavailable"];
        };
    };
    "identity.auth.reset-password": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthResetPasswordBody"];
            };
        };
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenInvalid"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.pat.list": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `pats`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            pats: components["schemas"]["Pat"][];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.pat.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatCreateBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `token`, `pat`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: {
                            /** @description Shown only now */
                            token: string;
                            pat: components["schemas"]["Pat"];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.pat.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.auth.refresh": {
        parameters: {
            query?: {
                /** @description 1: the refresh token as a cookie, not in the body */
                cookie?: "1" | "0";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthRefreshBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `accessToken`, `refreshToken`, `tokenType`, `expiresIn` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["AuthLoginAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.auth.register": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthRegisterBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `user`, `organization`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: {
                            user: components["schemas"]["AuthRegisterUser"];
                            organization: components["schemas"]["AuthOrganization"];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            403: components["responses"]["RegistrationClosedOrReservedOrg"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.auth.send-verification": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthSendVerificationBody"];
            };
        };
        responses: {
            /** @description Accepted; the work goes on. `data` holds `accepted`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 202;
                        data: {
                            /** @constant */
                            accepted: true;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["EmailNotConfiguredOrServiceUnavailable"];
        };
    };
    "identity.session.list": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `sessions`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            sessions: components["schemas"]["Session"][];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.session.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                sid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.step-up.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StepUpCreateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `stepUpToken`, `expiresAt`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            stepUpToken: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, milliseconds
                             */
                            expiresAt: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrUnauthorized"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.auth.switch-org": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthSwitchOrgBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `accessToken`, `refreshToken`, `tokenType`, `expiresIn` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["AuthLoginAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.auth.client-credentials": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthClientCredentialsBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `accessToken`, `tokenType`, `expiresIn`, `scope`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            accessToken: string;
                            /** @constant */
                            tokenType: "Bearer";
                            expiresIn: number;
                            scope: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientPermissions"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.auth.verify-email": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthRestoreEmailBody"];
            };
        };
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenInvalid"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["DuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.check.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "createdAt";
                sortOrder?: "asc" | "desc";
                target?: "plugin" | "pipeline";
                result?: "pass" | "warn" | "block";
                action?: "upload" | "create" | "update" | "deploy" | "restore" | "recheck" | "scan";
                /** @description A UUID */
                entityId?: string;
                /** @description Another name of `entityId` */
                entity?: string;
                /** @description A part of the name */
                entityName?: string;
                /** @description A UUID */
                scanId?: string;
                /** @description A UUID */
                ruleId?: string;
                userId?: string;
                /** @description ISO 8601, UTC, milliseconds */
                dateFrom?: string;
                /** @description ISO 8601, UTC, milliseconds */
                dateTo?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `entries`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            entries: components["schemas"]["CheckEntry"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.check.export": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Resumes behind this event */
                "last-event-id"?: components["parameters"]["LastEventId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, or the events as they happen */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl; charset=utf-8": string;
                };
            };
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.check.findings": {
        parameters: {
            query?: {
                target?: "plugin" | "pipeline";
                result?: "pass" | "warn" | "block";
                action?: "upload" | "create" | "update" | "deploy" | "restore" | "recheck" | "scan";
                /** @description A UUID */
                entityId?: string;
                /** @description Another name of `entityId` */
                entity?: string;
                /** @description A part of the name */
                entityName?: string;
                /** @description A UUID */
                scanId?: string;
                /** @description A UUID */
                ruleId?: string;
                userId?: string;
                /** @description ISO 8601, UTC, milliseconds */
                dateFrom?: string;
                /** @description ISO 8601, UTC, milliseconds */
                dateTo?: string;
                /** @description A finding a line, a spreadsheet, or SARIF 2.1.0 */
                format?: "jsonl" | "csv" | "sarif";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Resumes behind this event */
                "last-event-id"?: components["parameters"]["LastEventId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, or the events as they happen */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl; charset=utf-8": string;
                    "text/csv; charset=utf-8; header=present": string;
                    "application/sarif+json": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.bundle.export": {
        parameters: {
            query?: {
                days?: number;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `bundle`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            bundle: components["schemas"]["Bundle"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.entitlement.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `sets`, `watermark`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            sets: ("standard" | "advanced")[];
                            watermark: string | null;
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.entitlement.sync": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntitlementSyncBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `ok`, `skipped`, `activated`, `deactivated` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            ok: boolean;
                            /** @description A newer push was applied before: nothing was done */
                            skipped?: boolean;
                            activated: number;
                            deactivated: number;
                            /** @description Sets that are not known, or need another one */
                            ignored: string[];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.event.take": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComplianceEventTakeBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `processed`, `result`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            processed: boolean;
                            result: ("pass" | "warn" | "block") | null;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.exemption.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt or updatedAt */
                cursor?: string;
                sortBy?: "createdAt" | "updatedAt";
                sortOrder?: "asc" | "desc";
                /** @description A UUID */
                ruleId?: string;
                entityType?: "plugin" | "pipeline";
                /** @description A UUID */
                entityId?: string;
                /** @description The project of an `entityKey`; together with `organization` */
                project?: string;
                /** @description The organization of an `entityKey`; together with `project` */
                organization?: string;
                /** @description The name of an `entityKey`; together with `pluginVersion` */
                pluginName?: string;
                /** @description The version of an `entityKey`; together with `pluginName` */
                pluginVersion?: string;
                status?: "pending" | "approved" | "rejected" | "expired" | "revoked";
                createdBy?: string;
                /** @description A UUID */
                team?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `exemptions`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            exemptions: components["schemas"]["Exemption"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.exemption.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExemptionCreateBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `exemption`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["ExemptionCreateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.exemption.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `message`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.exemption.review": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExemptionReviewBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `exemption`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["ExemptionCreateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.exemption.bulk-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExemptionBulkCreateBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `created`, `skipped`, `ids`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: {
                            created: number;
                            skipped: number;
                            ids: string[];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.notification-log.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "createdAt";
                sortOrder?: "asc" | "desc";
                event?: "compliance.block" | "compliance.warning" | "compliance.scan" | "compliance.rule-change" | "compliance.digest";
                channel?: "in-app" | "email" | "webhook" | "digest";
                status?: "pending" | "sent" | "retrying" | "failed";
                /** @description A UUID */
                eventId?: string;
                /** @description A UUID */
                deliveryId?: string;
                /** @description A UUID */
                relatedAuditId?: string;
                /** @description ISO 8601, UTC, milliseconds */
                dateFrom?: string;
                /** @description ISO 8601, UTC, milliseconds */
                dateTo?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `entries`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            entries: components["schemas"]["NotificationLogEntry"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.notification-log.replay": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `deliveryId`, `channel`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            /** @description A UUID */
                            deliveryId: string;
                            /** @enum {unknown} */
                            channel: "email" | "webhook";
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.preference.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `preference`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PreferenceGetAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.preference.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreferenceUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `preference`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PreferenceGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.policy.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt or updatedAt */
                cursor?: string;
                sortBy?: "name" | "createdAt" | "updatedAt";
                sortOrder?: "asc" | "desc";
                /** @description A part of the name, of either case */
                name?: string;
                tag?: string;
                isActive?: "true" | "false" | "all";
                isTemplate?: boolean;
                /** @description Policies of the rule libraries that are sold */
                isPublished?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `policies`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PolicyListAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.policy.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyCreateBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `policy`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["PolicyGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.policy.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `policy`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PolicyGetAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.policy.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `policy`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PolicyGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["DuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.policy.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `message`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.policy.clone": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyCloneBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `policy`, `rules`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: {
                            policy: components["schemas"]["Policy"];
                            rules: components["schemas"]["Rule"][];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.policy.diff": {
        parameters: {
            query?: {
                /** @description Another version, or any other policy; what is in force without */
                against?: string;
                target?: "plugin" | "pipeline";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `policy`, `against`, `addedRules`, `removedRules` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            policy: components["schemas"]["PolicyDiff"];
                            against: components["schemas"]["PolicyDiff"] | null;
                            addedRules: components["schemas"]["PolicyAddedRule"][];
                            removedRules: components["schemas"]["PolicyAddedRule"][];
                            /** @description Records that were looked at: all of them */
                            total: number;
                            newlyFailing: components["schemas"]["PolicyNewlyFailing"];
                            newlyPassing: components["schemas"]["PolicyNewlyPassing"];
                            /** @description With a violation on both sides */
                            stillFailing: number;
                            /** @description Without one on both sides */
                            stillPassing: number;
                            /** @description Of all: those that only the version would block */
                            newlyBlocked: number;
                            /** @description Of all: those that it would block no more */
                            noLongerBlocked: number;
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.policy.purge": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `message`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.policy.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `policy`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PolicyGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["DuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.policy.list-deleted": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "deletedAt" | "name" | "createdAt";
                sortOrder?: "asc" | "desc";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `policies`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PolicyListAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.published-rule.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt or updatedAt */
                cursor?: string;
                sortBy?: "priority" | "name" | "severity" | "createdAt" | "updatedAt";
                sortOrder?: "asc" | "desc";
                /** @description A part of the name, of either case */
                name?: string;
                target?: "plugin" | "pipeline";
                severity?: "warning" | "error" | "critical";
                /** @description Exactly this tag */
                tag?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `rules`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            rules: components["schemas"]["PublishedRuleRule"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.role.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                sortBy?: "userId";
                sortOrder?: "asc" | "desc";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `roles`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            roles: components["schemas"]["ComplianceRole"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.role.grant": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComplianceRoleGrantBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `role`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            role: components["schemas"]["ComplianceRole"];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.role.revoke": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `message`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.rule.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt or updatedAt */
                cursor?: string;
                sortBy?: "createdAt" | "updatedAt" | "name" | "priority" | "severity";
                sortOrder?: "asc" | "desc";
                /** @description A part of the name, of either case */
                name?: string;
                target?: "plugin" | "pipeline";
                severity?: "warning" | "error" | "critical";
                /** @description Exactly this tag */
                tag?: string;
                /** @description `published` shows the catalogue of the system organization */
                scope?: "org" | "published";
                isActive?: "true" | "false" | "all";
                isTemplate?: boolean;
                /** @description A UUID */
                policyId?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `rules`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["RuleListAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.rule.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleCreateBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `rule`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["RuleGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.rule.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `rule`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["RuleGetAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.rule.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `rule`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["RuleGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["DuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.rule.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `message`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.rule.list-history": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "changedAt" | "createdAt";
                sortOrder?: "asc" | "desc";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `history`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            history: components["schemas"]["RuleHistory"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.rule.purge": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `message`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.rule.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `rule`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["RuleGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["DuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.rule.list-deleted": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "deletedAt" | "name" | "createdAt";
                sortOrder?: "asc" | "desc";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `rules`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["RuleListAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.scan-schedule.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "createdAt";
                sortOrder?: "asc" | "desc";
                target?: "plugin" | "pipeline" | "all";
                isActive?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `schedules`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            schedules: components["schemas"]["ScanScheduleSchedule"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.scan-schedule.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScanScheduleCreateBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `schedule`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["ScanScheduleCreateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.scan-schedule.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScanScheduleUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `schedule`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["ScanScheduleCreateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.scan-schedule.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `schedule`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["ScanScheduleCreateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.scan-schedule.activate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScanScheduleActivateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `schedule`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["ScanScheduleCreateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.scan.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "createdAt";
                sortOrder?: "asc" | "desc";
                target?: "plugin" | "pipeline" | "all";
                status?: "pending" | "running" | "completed" | "failed" | "cancelled";
                triggeredBy?: "manual" | "scheduled" | "rule-change" | "rule-dry-run";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `scans`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            scans: components["schemas"]["Scan"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.scan.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScanCreateBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `scan`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["ScanGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrScanConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.scan.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `scan`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["ScanGetAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.scan.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `scan`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["ScanGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ScanConflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.scan.findings": {
        parameters: {
            query?: {
                /** @description A finding a line, a spreadsheet, or SARIF 2.1.0 */
                format?: "jsonl" | "csv" | "sarif";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Resumes behind this event */
                "last-event-id"?: components["parameters"]["LastEventId"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, or the events as they happen */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl; charset=utf-8": string;
                    "text/csv; charset=utf-8; header=present": string;
                    "application/sarif+json": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.scan.follow": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Resumes behind this event */
                "last-event-id"?: components["parameters"]["LastEventId"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, or the events as they happen */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.subscription.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "subscribedAt" | "createdAt";
                sortOrder?: "asc" | "desc";
                isActive?: boolean;
                target?: "plugin" | "pipeline";
                isPinned?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `subscriptions`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            subscriptions: components["schemas"]["Subscription"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.subscription.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionCreateBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `subscription`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["SubscriptionCreateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.subscription.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `message`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.subscription.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `subscription`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["SubscriptionCreateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.subscription.pin": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path: {
                /** @description A UUID */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `subscription`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["SubscriptionCreateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.subscription.unpin": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `subscription`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["SubscriptionCreateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.subscription.auto-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `subscribed`, `skipped`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            subscribed: number;
                            skipped: number;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.subscription.bulk-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionBulkUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `requested`, `updated`, `notFound`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            requested: number;
                            /** @description Those whose state changed */
                            updated: number;
                            notFound: string[];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.subscription.clone": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionCloneBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `rule`, `warnings`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: {
                            rule: components["schemas"]["Rule"];
                            warnings: components["schemas"]["SubscriptionWarning"][];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.subscription.list-enforced": {
        parameters: {
            query?: {
                target?: "plugin" | "pipeline";
                /** @description By what was in force at this instant of the past; 409 before the first that can be told */
                asOf?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `rules`, `total`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            rules: components["schemas"]["SubscriptionRule"][];
                            total: number;
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.subscription.preview": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionPreviewBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `rule`, `preview`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            rule?: components["schemas"]["Rule"];
                            preview?: components["schemas"]["Preview"];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.subscription.preview-impact": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionPreviewImpactBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `ruleId`, `ruleName`, `target`, `total` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            ruleId: string | null;
                            ruleName: string;
                            /** @enum {unknown} */
                            target: "plugin" | "pipeline";
                            /** @description Entities that were looked at */
                            total: number;
                            wouldPass: number;
                            /** @description Warnings count too */
                            wouldFail: number;
                            /** @description False: all of them are looked at */
                            truncated: boolean;
                            samples: components["schemas"]["SubscriptionSample"][];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.template.list": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `templates`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            templates: components["schemas"]["ComplianceTemplate"][];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.template.apply": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComplianceTemplateApplyBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `created`, `skipped`, `ruleIds`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["ComplianceTemplateApplyAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.template.clone": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComplianceTemplateCloneBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `created`, `skipped`, `ruleIds`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["ComplianceTemplateApplyAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.pipeline.validate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompliancePipelineValidateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `passed`, `blocked`, `violations`, `warnings` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["CompliancePipelineValidateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.pipeline.validate-dry-run": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompliancePipelineValidateDryRunBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `passed`, `blocked`, `violations`, `warnings` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["Preview"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.plugin.validate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompliancePluginValidateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `passed`, `blocked`, `violations`, `warnings` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["CompliancePipelineValidateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "compliance.plugin.validate-dry-run": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompliancePipelineValidateDryRunBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `passed`, `blocked`, `violations`, `warnings` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["Preview"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.config.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `features`, `registration`, `supportAlias`, `version`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            features: components["schemas"]["ConfigFeature"];
                            /** @enum {unknown} */
                            registration: "open" | "invite" | "closed";
                            supportAlias: string | null;
                            version: string;
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.invitation.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                sortBy?: "createdAt" | "expiresAt" | "email";
                sortOrder?: "asc" | "desc";
                status?: "pending" | "accepted" | "declined" | "revoked" | "expired";
                role?: "admin" | "member";
                invitationType?: "any" | "email";
                search?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `invitations`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            invitations: components["schemas"]["Invitation"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.invitation.view": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The token of the link */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `organization`, `role`, `email`, `status` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            organization: components["schemas"]["InvitationViewOrganization"];
                            /** @enum {unknown} */
                            role: "admin" | "member";
                            email: string;
                            /** @enum {unknown} */
                            status: "pending" | "accepted" | "declined" | "revoked" | "expired";
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, milliseconds
                             */
                            expiresAt: string;
                            /** @enum {unknown} */
                            invitationType: "any" | "email";
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.invitation.revoke": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.invitation.resend": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `expiresAt`, `emailSent`, `acceptUrl`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, milliseconds
                             */
                            expiresAt: string;
                            emailSent: boolean;
                            /** @description Shown once, where the server has no e-mail */
                            acceptUrl?: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySessionOrSeatLimit"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.invitation.accept": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthRestoreEmailBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `organization`, `membership`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            organization: components["schemas"]["InvitationOrganization"];
                            membership: components["schemas"]["InvitationMembership"];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySessionOrSeatLimit"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["InvitationEnded"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.invitation.accept-new": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationAcceptNewBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `user`, `organization`, `membership`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: {
                            user: components["schemas"]["AuthRegisterUser"];
                            organization: components["schemas"]["InvitationOrganization"];
                            membership: components["schemas"]["InvitationMembership"];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            403: components["responses"]["RegistrationClosedOrSeatLimit"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            410: components["responses"]["InvitationEnded"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.invitation.decline": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthRestoreEmailBody"];
            };
        };
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            410: components["responses"]["InvitationEnded"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.invitation.send": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationSendBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `invitation`, `emailSent`, `acceptUrl`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: {
                            invitation: components["schemas"]["Invitation"];
                            emailSent: boolean;
                            /** @description Shown once, where the server has no e-mail */
                            acceptUrl?: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySessionOrSeatLimit"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.inbox.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "lastReplyAt" | "createdAt" | "subject" | "priority";
                sortOrder?: "asc" | "desc";
                messageType?: "announcement" | "conversation";
                priority?: "normal" | "high" | "urgent";
                channel?: string;
                /** @description `false`: threads with a message that you have not read */
                isRead?: boolean;
                /** @description Part of the subject, the content or an answer, of either case */
                search?: string;
                /** @description To you alone */
                recipientUserId?: "me";
                /** @description `all`, in the system organization: every conversation that it may see, not only its own */
                scope?: "own" | "all";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `messages`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["AnnouncementListAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.message.send": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageSendBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `message`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["MessageGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.message.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `message`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MessageGetAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.message.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `id`, `deletedAt`, `purgeAfter`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MessageDeleteAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.message.edit": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageEditBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `message`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MessageGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.message.attachments": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `attachments`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            attachments: components["schemas"]["Attachment"][];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.message.purge": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `id`, `purged`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MessagePurgeAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.message.read": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `message`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MessageGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.message.reply": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageReplyBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `message`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["MessageGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.message.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `message`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MessageGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.thread.get": {
        parameters: {
            query?: {
                /** @description Messages a page */
                limit?: number;
                /** @description Messages to skip */
                offset?: number;
                sortBy?: "createdAt";
                sortOrder?: "asc" | "desc";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `messages`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            messages: components["schemas"]["ThreadMessage"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.thread.read": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `marked`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["InboxReadAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.announcement.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "lastReplyAt" | "createdAt" | "subject" | "priority";
                sortOrder?: "asc" | "desc";
                priority?: "normal" | "high" | "urgent";
                channel?: string;
                /** @description `false`: threads with a message that you have not read */
                isRead?: boolean;
                /** @description Part of the subject, the content or an answer, of either case */
                search?: string;
                /** @description To you alone */
                recipientUserId?: "me";
                /** @description `all`, in the system organization: every conversation that it may see, not only its own */
                scope?: "own" | "all";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `messages`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["AnnouncementListAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.attachment.upload": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    file: string;
                };
            };
        };
        responses: {
            /** @description Created. `data` holds `attachment`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: {
                            attachment: components["schemas"]["Attachment"];
                        };
                    };
                };
            };
            400: components["responses"]["MissingRequiredFieldOrValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.attachment.get": {
        parameters: {
            query?: {
                /** @description `1`: a small picture; where there is none the file itself, with `X-Thumbnail: original` */
                thumb?: "1" | "0";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description One range of bytes, such as `bytes=0-1023` */
                range?: components["parameters"]["Range"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The part that `Range` asks for */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.conversation.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "lastReplyAt" | "createdAt" | "subject" | "priority";
                sortOrder?: "asc" | "desc";
                priority?: "normal" | "high" | "urgent";
                channel?: string;
                /** @description `false`: threads with a message that you have not read */
                isRead?: boolean;
                /** @description Part of the subject, the content or an answer, of either case */
                search?: string;
                /** @description To you alone */
                recipientUserId?: "me";
                /** @description `all`, in the system organization: every conversation that it may see, not only its own */
                scope?: "own" | "all";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `messages`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["AnnouncementListAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.message.list-deleted": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` updatedAt or createdAt */
                cursor?: string;
                sortBy?: "updatedAt" | "createdAt";
                sortOrder?: "asc" | "desc";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `messages`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            messages: components["schemas"]["MessageListDeleted"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.inbox.read": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `marked`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["InboxReadAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.event.stream": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Resumes behind this event */
                "last-event-id"?: components["parameters"]["LastEventId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, or the events as they happen */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "message.unread.count": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `count`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            count: number;
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.organization.active": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `organization`, `membership`, `teams`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            organization: components["schemas"]["Organization"];
                            membership: components["schemas"]["OrganizationMembership"];
                            teams: components["schemas"]["Team"][];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.organization.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationCreateBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `organization`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["OrganizationGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySessionOrReservedOrgOrSeatLimit"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.organization.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `organization`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["OrganizationGetAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.organization.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationRenameBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `organization`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["OrganizationGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySessionOrReservedOrg"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["DuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.organization.delete": {
        parameters: {
            query?: {
                force?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; the work goes on. `data` holds `deletedAt`, `purgeAfter`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 202;
                        data: {
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, milliseconds
                             */
                            deletedAt: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, milliseconds
                             */
                            purgeAfter: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySessionOrReservedOrg"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.organization.export": {
        parameters: {
            query?: {
                format?: "json" | "ndjson";
                /** @description Sections between commas; all when absent */
                include?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
                /** @description Resumes behind this event */
                "last-event-id"?: components["parameters"]["LastEventId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, or the events as they happen */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.organization.rename": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationRenameBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `organization`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["OrganizationGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySessionOrReservedOrg"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["DuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.member.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                sortBy?: "joinedAt" | "role" | "status" | "username" | "email" | "createdAt";
                sortOrder?: "asc" | "desc";
                search?: string;
                role?: "owner" | "admin" | "member";
                isActive?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `organizationId`, `ownerId`, `members`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            /** @description A UUID */
                            organizationId: string;
                            ownerId: string | null;
                            members: components["schemas"]["Member"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.member.add": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberAddBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `member`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["MemberActivateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySessionOrSeatLimit"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.member.remove": {
        parameters: {
            query?: {
                /** @description A UUID */
                reassignTo?: string;
                /** @description The member of the root organization who becomes the owner of the teams that the person owns */
                teamsTo?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrLastPrivilegedMemberOrOwnerProtected"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.member.set-role": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberSetRoleBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `member`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MemberActivateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrLastPrivilegedMemberOrOwnerProtected"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.member.activate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `member`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MemberActivateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySessionOrSeatLimit"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.member.deactivate": {
        parameters: {
            query?: {
                /** @description The member of the root organization who becomes the owner of the teams that the person owns */
                teamsTo?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `member`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MemberActivateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrLastPrivilegedMemberOrOwnerProtected"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.member.exists": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `isMember`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            isMember: boolean;
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.member.bulk-add": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberBulkAddBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `results`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            results: components["schemas"]["MemberResult"][];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.organization.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `organization`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["OrganizationGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySessionOrSeatLimit"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.role.list": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `roles`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            roles: components["schemas"]["IdentityRole"][];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.role.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IdentityRoleCreateBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `role`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["IdentityRoleCreateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.role.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                roleId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IdentityRoleUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `role`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["IdentityRoleCreateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["DuplicateEntryOrSystemRoleImmutable"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.role.delete": {
        parameters: {
            query?: {
                ifUnused?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                roleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrSystemRoleImmutable"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.role.assign": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path: {
                id: string;
                roleId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IdentityRoleAssignBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `member`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MemberActivateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.role.unassign": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                roleId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrLastPrivilegedMemberOrOwnerProtected"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.organization.set-seat-limit": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationSetSeatLimitBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `id`, `seats`, `features`, `tier`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            /** @description A UUID */
                            id: string;
                            seats: number | null;
                            features: string[];
                            tier: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.secret.list": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `secrets`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            secrets: components["schemas"]["Secret"][];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.secret.set": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretSetBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `secret`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            secret: components["schemas"]["Secret"];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.secret.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.service-principal.list": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `servicePrincipals`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            servicePrincipals: components["schemas"]["ServicePrincipal"][];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.service-principal.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServicePrincipalCreateBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `servicePrincipal`, `clientSecret`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["ServicePrincipalCreateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.service-principal.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                pid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.service-principal.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                pid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServicePrincipalUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `servicePrincipal`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            servicePrincipal: components["schemas"]["ServicePrincipal"];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.service-principal.rotate": {
        parameters: {
            query?: {
                expiresIn?: number;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                id: string;
                pid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `servicePrincipal`, `clientSecret`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["ServicePrincipalCreateAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.organization.settings": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationSettingsBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `organization`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["OrganizationGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.team.list": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `teams`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            teams: components["schemas"]["Team"][];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.organization.set-tier": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationSetTierBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `id`, `previousTier`, `tier`, `featuresRemoved`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            /** @description A UUID */
                            id: string;
                            previousTier: string;
                            /** @enum {unknown} */
                            tier: "developer" | "pro" | "team" | "enterprise" | "unlimited";
                            featuresRemoved: string[];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrTierOverCap"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.organization.transfer-owner": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationTransferOwnerBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `id`, `previousOwnerId`, `ownerId`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            /** @description A UUID */
                            id: string;
                            previousOwnerId: string | null;
                            /** @description A UUID */
                            ownerId: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySessionOrReservedOrg"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "identity.organization.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                sortBy?: "createdAt" | "name";
                sortOrder?: "asc" | "desc";
                search?: string;
                tier?: string;
                /** @description A UUID */
                parentOrgId?: string;
                includeDeleted?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `organizations`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            organizations: components["schemas"]["Organization"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.template.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt or updatedAt */
                cursor?: string;
                sortBy?: "createdAt" | "name" | "updatedAt";
                sortOrder?: "asc" | "desc";
                /** @description An id, ids with commas between, or the first 8 or more characters of one */
                id?: string;
                /** @description The name holds it, letters of either case */
                name?: string;
                /** @description In this category */
                category?: string;
                /** @description Has this keyword, letters of either case */
                keyword?: string;
                /** @description The name, description, category or a keyword holds it */
                q?: string;
                accessModifier?: "public" | "private";
                /** @description `true` unless said; `all` for both */
                isActive?: boolean | "all";
                /** @description `all` unless said */
                scope?: "own" | "shared" | "all";
                /** @description The id of a user or a team, `me` or `unowned` */
                ownerId?: string;
                /** @description In this part of its life */
                lifecycle?: "experimental" | "production" | "deprecated";
                /** @description Of this criticality */
                criticality?: "low" | "medium" | "high" | "critical";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `templates`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PipelineTemplateListAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.template.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PipelineTemplateCreateBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `template`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: components["schemas"]["PipelineTemplateGetAnswer"];
                    };
                };
            };
            400: components["responses"]["TemplateOrTemplateContractViolationOrValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.template.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `template`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PipelineTemplateGetAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.template.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PipelineTemplateUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `template`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PipelineTemplateGetAnswer"];
                    };
                };
            };
            400: components["responses"]["TemplateOrTemplateContractViolationOrValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.template.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `id`, `deletedAt`, `purgeAfter`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MessageDeleteAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.template.instantiate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PipelineTemplateInstantiateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `props`, `description`, `keywords`, `templateId` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            /** @description The builder properties */
                            props: components["schemas"]["Prop"];
                            description: string;
                            keywords: string[];
                            /** @description A UUID */
                            templateId: string;
                            templateVersion: number;
                        };
                    };
                };
            };
            400: components["responses"]["TemplateOrValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.template.purge": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `id`, `purged`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MessagePurgeAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.template.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `template`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PipelineTemplateGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.template.list-deleted": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` updatedAt or createdAt */
                cursor?: string;
                sortBy?: "updatedAt" | "createdAt";
                sortOrder?: "asc" | "desc";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `templates`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PipelineTemplateListAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.pipeline.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt or updatedAt */
                cursor?: string;
                sortBy?: "createdAt" | "updatedAt" | "project" | "organization" | "pipelineName" | "lifecycle";
                sortOrder?: "asc" | "desc";
                /** @description An id, ids with commas between, or the first 8 or more characters of one */
                id?: string;
                /** @description Of this project; `My-App` and `my_app` are one */
                project?: string;
                /** @description Of this organization name */
                organization?: string;
                /** @description Of this name, letters of either case; with `~` behind it: the name holds it */
                pipelineName?: string;
                /** @description Has this keyword, letters of either case */
                keyword?: string;
                /** @description The name, project, description or a keyword holds it */
                q?: string;
                /** @description Names this plugin */
                plugin?: string;
                /** @description Was made from this template */
                templateId?: string;
                /** @description ISO 8601, UTC, milliseconds */
                updatedSince?: string;
                accessModifier?: "public" | "private";
                /** @description `true` unless said; `all` for both */
                isActive?: boolean | "all";
                /** @description The default of its project */
                isDefault?: boolean;
                /** @description The id of a user or a team, `me` or `unowned` */
                ownerId?: string;
                /** @description In this part of its life */
                lifecycle?: "experimental" | "production" | "deprecated";
                /** @description Of this criticality */
                criticality?: "low" | "medium" | "high" | "critical";
                /** @description Deleted ones of the own organization too */
                includeDeleted?: boolean;
                /** @description Those of the teams below too; needs `reports:rollup` */
                includeDescendants?: boolean;
                /** @description The fields to show, with commas between; without it all but `props` */
                fields?: ("id" | "orgId" | "project" | "organization" | "pipelineName" | "description" | "keywords" | "accessModifier" | "isDefault" | "isActive" | "ownerId" | "ownerType" | "lifecycle" | "criticality" | "labels" | "links" | "origin" | "revision" | "createdAt" | "createdBy" | "updatedAt" | "updatedBy" | "deletedAt" | "purgeAfter" | "props")[];
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `pipelines`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PipelineListAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.pipeline.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PipelineCreateBody"];
            };
        };
        responses: {
            /** @description Created. `data` holds `pipeline`, `created`, `warnings`, `complianceWarnings`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: {
                            pipeline: components["schemas"]["PipelineCreate"];
                            /** @description False when one of the same project and organization was there */
                            created: boolean;
                            /** @description About the plugins that it names */
                            warnings: components["schemas"]["PipelineWarning"][];
                            /** @description Rules that it breaks and that do not block */
                            complianceWarnings: {
                                [key: string]: unknown;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["TemplateOrValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrComplianceViolationOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ComplianceServiceUnavailableOrServiceUnavailable"];
        };
    };
    "pipeline.pipeline.get": {
        parameters: {
            query?: {
                /** @description The properties with their tokens replaced */
                resolve?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `pipeline`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            pipeline: components["schemas"]["Pipeline"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.pipeline.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PipelineUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `pipeline`, `warnings`, `complianceWarnings`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            pipeline: components["schemas"]["PipelineCreate"];
                            warnings: components["schemas"]["PipelineWarning"][];
                            complianceWarnings: {
                                [key: string]: unknown;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["TemplateOrValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrComplianceViolationOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ComplianceServiceUnavailableOrServiceUnavailable"];
        };
    };
    "pipeline.pipeline.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `id`, `deletedAt`, `purgeAfter`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MessageDeleteAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.pipeline.purge": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `id`, `purged`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MessagePurgeAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.pipeline.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `pipeline`, `complianceWarnings`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            pipeline: components["schemas"]["PipelineCreate"];
                            complianceWarnings: {
                                [key: string]: unknown;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrComplianceViolationOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ComplianceServiceUnavailableOrServiceUnavailable"];
        };
    };
    "pipeline.revision.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "revision" | "createdAt";
                sortOrder?: "asc" | "desc";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `revisions`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            revisions: components["schemas"]["RevisionList"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.revision.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
                revision: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `revision`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            revision: components["schemas"]["Revision"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.revision.diff": {
        parameters: {
            query?: {
                /** @description The one before, unless said */
                against?: number;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
                revision: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `from`, `to`, `changes`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            from: number;
                            to: number;
                            changes: components["schemas"]["RevisionChange"][];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.pipeline.bulk-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PipelineBulkCreateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `created`, `updated`, `failed`, `items`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            created: number;
                            updated: number;
                            failed: number;
                            items: components["schemas"]["PipelineItem"][];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ComplianceServiceUnavailableOrServiceUnavailable"];
        };
    };
    "pipeline.pipeline.bulk-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PipelineBulkDeleteBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `deleted`, `failed`, `items`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            deleted: number;
                            failed: number;
                            items: components["schemas"]["PipelineItem"][];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.pipeline.bulk-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PipelineBulkUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `updated`, `unchanged`, `failed`, `items`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            updated: number;
                            unchanged: number;
                            failed: number;
                            items: components["schemas"]["PipelineItem"][];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ComplianceServiceUnavailableOrServiceUnavailable"];
        };
    };
    "pipeline.pipeline.list-deleted": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` updatedAt or createdAt */
                cursor?: string;
                sortBy?: "updatedAt" | "createdAt";
                sortOrder?: "asc" | "desc";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `pipelines`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PipelineListAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.pipeline.find": {
        parameters: {
            query?: {
                /** @description An id, ids with commas between, or the first 8 or more characters of one */
                id?: string;
                /** @description Of this project; `My-App` and `my_app` are one */
                project?: string;
                /** @description Of this organization name */
                organization?: string;
                /** @description Of this name, letters of either case; with `~` behind it: the name holds it */
                pipelineName?: string;
                /** @description Has this keyword, letters of either case */
                keyword?: string;
                /** @description The name, project, description or a keyword holds it */
                q?: string;
                /** @description Names this plugin */
                plugin?: string;
                /** @description Was made from this template */
                templateId?: string;
                /** @description ISO 8601, UTC, milliseconds */
                updatedSince?: string;
                accessModifier?: "public" | "private";
                /** @description `true` unless said; `all` for both */
                isActive?: boolean | "all";
                /** @description The default of its project */
                isDefault?: boolean;
                /** @description The id of a user or a team, `me` or `unowned` */
                ownerId?: string;
                /** @description In this part of its life */
                lifecycle?: "experimental" | "production" | "deprecated";
                /** @description Of this criticality */
                criticality?: "low" | "medium" | "high" | "critical";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `pipeline`, `matchedCount`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            pipeline: components["schemas"]["Pipeline"];
                            /** @description How many pipelines match */
                            matchedCount: number;
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.registry.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "lastDeployed" | "pipelineName" | "createdAt";
                sortOrder?: "asc" | "desc";
                /** @description A UUID */
                pipelineId?: string;
                region?: string;
                project?: string;
                /** @description As it was registered */
                resourceId?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `registry`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            registry: components["schemas"]["Registry"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.registry.register": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegistryRegisterBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `registry`, `created`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            registry: components["schemas"]["Registry"];
                            created: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.registry.deregister": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "pipeline.pipeline.validate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PipelineCreateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `valid`, `action`, `issues`, `templateIssues` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            /** @description A create with this body would succeed now */
                            valid: boolean;
                            /** @enum {unknown} */
                            action: "create" | "update" | null;
                            issues: components["schemas"]["PipelineIssue"][];
                            templateIssues: components["schemas"]["PipelineIssue"][];
                            warnings: components["schemas"]["PipelineWarning"][];
                            /** @description Null while the body is not valid */
                            compliance: components["schemas"]["PipelineCompliance"] | null;
                            quota: components["schemas"]["PipelineQuota"] | null;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ComplianceServiceUnavailableOrServiceUnavailable"];
        };
    };
    "plugin.plugin.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt or updatedAt */
                cursor?: string;
                sortBy?: "createdAt" | "updatedAt" | "name" | "version" | "category";
                sortOrder?: "asc" | "desc";
                /** @description An id, ids with commas between, or the first 8 or more characters of one */
                id?: string;
                /** @description Holds this text, letters of either case alike */
                name?: string;
                /** @description Is named so */
                nameExact?: string;
                /** @description An exact version, or a range such as `^1.2.0` */
                version?: string;
                pluginType?: "CodeBuildStep" | "ShellStep" | "ManualApprovalStep";
                computeType?: "SMALL" | "MEDIUM" | "LARGE" | "X2_LARGE";
                /** @description Of this category */
                category?: string;
                /** @description Has this keyword */
                keyword?: string;
                /** @description Name, description, category or keywords hold this text */
                q?: string;
                buildType?: "build_image" | "prebuilt" | "metadata_only";
                buildStatus?: "none" | "queued" | "building" | "ready" | "failed";
                /** @description `public` leaves what is shared with the organization; `private` is the own ones */
                accessModifier?: "public" | "private";
                /** @description `true` unless said, `all` beside `buildStatus`: a plugin is inactive until its image is built */
                isActive?: "true" | "false" | "all";
                /** @description Is what a reference without a version means */
                isDefault?: boolean;
                /** @description The highest version of each name */
                latestOnly?: boolean;
                /** @description Of the own organization, or shared with it */
                scope?: "own" | "shared";
                /** @description The id of a user or a team, `me` or `unowned` */
                ownerId?: string;
                /** @description In this part of its life */
                lifecycle?: "experimental" | "production" | "deprecated";
                /** @description Of this criticality */
                criticality?: "low" | "medium" | "high" | "critical";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `plugins`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["DeletedListAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.plugin.upload": {
        parameters: {
            query?: {
                /** @description Replaces a public version, which is otherwise not changed; needs `plugins:publish` */
                replace?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Makes retries safe: one effect and one answer a key, for 24 h */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @enum {string} */
                    accessModifier?: "public" | "private";
                    /** @description Makes the version the default, whatever the others are */
                    setDefault?: boolean;
                    /** @description A UUID */
                    ownerId?: string;
                    /**
                     * @description Together with `ownerId`
                     * @enum {string}
                     */
                    ownerType?: "user" | "team";
                    /**
                     * @description `production` unless said
                     * @enum {string}
                     */
                    lifecycle?: "experimental" | "production" | "deprecated";
                    /** @description How much rests on it; null for not said */
                    criticality?: ("low" | "medium" | "high" | "critical") | null;
                    /** @description Texts, numbers and booleans by name */
                    labels?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description Where to read more */
                    links?: {
                        title: string;
                        /** @description http or https */
                        url: string;
                        icon?: string;
                    }[];
                    plugin: string;
                };
            };
        };
        responses: {
            /** @description Created. `data` holds `pluginId`, `pluginName`, `version`, `buildType` and more. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 201;
                        data: {
                            /** @description A UUID */
                            pluginId: string;
                            pluginName: string;
                            version: string;
                            /** @enum {string} */
                            buildType: "build_image" | "prebuilt" | "metadata_only";
                            /** @description False for a new upload of a version that was there */
                            created: boolean;
                            requestId?: string;
                            /** @description A UUID */
                            jobId?: string;
                            warnings: components["schemas"]["PluginWarning"][];
                            complianceWarnings: Record<string, never>[];
                        };
                    };
                };
            };
            400: components["responses"]["TemplateTextOrMissingRequiredFieldOrTemplateContractViolationOrValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrComplianceViolationOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["BuilderUnavailableOrComplianceServiceUnavailableOrServiceUnavailable"];
        };
    };
    "plugin.plugin.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `plugin`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            plugin: components["schemas"]["Plugin"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.plugin.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PluginUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `plugin`, `complianceWarnings`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            plugin: components["schemas"]["Plugin"];
                            complianceWarnings: Record<string, never>[];
                        };
                    };
                };
            };
            400: components["responses"]["TemplateTextOrTemplateContractViolationOrValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrComplianceViolationOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ComplianceServiceUnavailableOrServiceUnavailable"];
        };
    };
    "plugin.plugin.delete": {
        parameters: {
            query?: {
                /** @description Also while pipelines name exactly this version */
                force?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `id`, `deletedAt`, `purgeAfter`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["MessageDeleteAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.plugin.purge": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.plugin.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                /** @description A UUID */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `plugin`, `jobId`, `complianceWarnings`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            plugin: components["schemas"]["Plugin"];
                            /** @description The build that begins anew, where it was deleted before its image was there */
                            jobId?: string;
                            complianceWarnings: Record<string, never>[];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrComplianceViolationOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrDuplicateEntry"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ComplianceServiceUnavailableOrServiceUnavailable"];
        };
    };
    "plugin.build.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "createdAt";
                sortOrder?: "asc" | "desc";
                state?: "waiting" | "delayed" | "active" | "completed" | "dead" | "cancelled";
                /** @description Of this plugin, in every version */
                pluginName?: string;
                /** @description A UUID */
                pluginId?: string;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `builds`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            builds: components["schemas"]["Build"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.build.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A UUID */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `build`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            build: components["schemas"]["Build"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.build.log": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description Resumes behind this event */
                "last-event-id"?: components["parameters"]["LastEventId"];
            };
            path: {
                /** @description A UUID */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, or the events as they happen */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.plugin.bulk-delete": {
        parameters: {
            query?: {
                /** @description Also while pipelines name exactly this version */
                force?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PipelineBulkDeleteBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `deleted`, `failed`, `items`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            deleted: number;
                            failed: number;
                            items: components["schemas"]["PluginItem"][];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.plugin.bulk-update": {
        parameters: {
            query?: {
                /** @description All or nothing */
                atomic?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PluginBulkUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `updated`, `failed`, `items`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            updated: number;
                            failed: number;
                            items: components["schemas"]["PluginItem"][];
                        };
                    };
                };
            };
            400: components["responses"]["TemplateTextOrTemplateContractViolationOrValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrComplianceViolationOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ComplianceServiceUnavailableOrServiceUnavailable"];
        };
    };
    "plugin.deleted.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` updatedAt or createdAt */
                cursor?: string;
                sortBy?: "updatedAt" | "createdAt";
                sortOrder?: "asc" | "desc";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `plugins`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["DeletedListAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.plugin.find": {
        parameters: {
            query?: {
                /** @description An id, ids with commas between, or the first 8 or more characters of one */
                id?: string;
                /** @description Holds this text, letters of either case alike */
                name?: string;
                /** @description Is named so */
                nameExact?: string;
                /** @description An exact version, or a range such as `^1.2.0` */
                version?: string;
                pluginType?: "CodeBuildStep" | "ShellStep" | "ManualApprovalStep";
                computeType?: "SMALL" | "MEDIUM" | "LARGE" | "X2_LARGE";
                /** @description Of this category */
                category?: string;
                /** @description Has this keyword */
                keyword?: string;
                /** @description Name, description, category or keywords hold this text */
                q?: string;
                buildType?: "build_image" | "prebuilt" | "metadata_only";
                buildStatus?: "none" | "queued" | "building" | "ready" | "failed";
                /** @description `public` leaves what is shared with the organization; `private` is the own ones */
                accessModifier?: "public" | "private";
                /** @description `true` unless said, `all` beside `buildStatus`: a plugin is inactive until its image is built */
                isActive?: "true" | "false" | "all";
                /** @description Is what a reference without a version means */
                isDefault?: boolean;
                /** @description The highest version of each name */
                latestOnly?: boolean;
                /** @description Of the own organization, or shared with it */
                scope?: "own" | "shared";
                /** @description The id of a user or a team, `me` or `unowned` */
                ownerId?: string;
                /** @description In this part of its life */
                lifecycle?: "experimental" | "production" | "deprecated";
                /** @description Of this criticality */
                criticality?: "low" | "medium" | "high" | "critical";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `plugin`, `matchedCount`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PluginFindAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.plugin.lookup": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PluginLookupBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `plugin`, `matchedCount`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["PluginFindAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.usage.get": {
        parameters: {
            query?: {
                byVersion?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `counts`, `usage`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            counts?: {
                                [key: string]: number;
                            };
                            usage?: components["schemas"]["Usage"][];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.dlq.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                sortBy?: "failedAt" | "createdAt";
                sortOrder?: "asc" | "desc";
                /** @description Of this plugin, in every version */
                pluginName?: string;
                category?: "docker-build" | "template" | "quota" | "timeout" | "auth-secrets" | "network" | "validation" | "other" | "unknown";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `jobs`, `total`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            jobs: components["schemas"]["DlqJob"][];
                            total: number;
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.dlq.purge": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `purged`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            purged: number;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.dlq.replay": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path: {
                /** @description A UUID */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; the work goes on. `data` holds `replayed`, `dlqJobId`, `newJobId`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 202;
                        data: {
                            replayed: boolean;
                            /** @description A UUID */
                            dlqJobId: string;
                            /** @description A UUID */
                            newJobId: string;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrComplianceViolationOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ComplianceServiceUnavailableOrServiceUnavailable"];
        };
    };
    "plugin.queue.failed": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                sortBy?: "failedAt" | "createdAt";
                sortOrder?: "asc" | "desc";
                /** @description Of this plugin, in every version */
                pluginName?: string;
                category?: "docker-build" | "template" | "quota" | "timeout" | "auth-secrets" | "network" | "validation" | "other" | "unknown";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `jobs`, `total`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            jobs: components["schemas"]["QueueJob"][];
                            total: number;
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "plugin.queue.status": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `waiting`, `active`, `completed`, `failed` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            /** @description A builder could take them now */
                            waiting: number;
                            active: number;
                            /** @description In the last hour */
                            completed: number;
                            /** @description In the last day */
                            failed: number;
                            /** @description Their back-off is not over, or the organization has its share of the builders */
                            delayed: number;
                            tiers: {
                                [key: string]: components["schemas"]["QueueTier"];
                            };
                            dlq: components["schemas"]["QueueDlq"];
                            oldestWaitingSeconds: number;
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "quota.quota.mine": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `quota`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["QuotaGetAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "quota.quota.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `quota`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["QuotaGetAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "quota.quota.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description The ETag, or the bare revision, of the record as it was read; 412 when it changed since */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuotaUpdateBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `quota`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["QuotaGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrTierOverCap"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "quota.quota.status": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                orgId: string;
                type: "plugins" | "pipelines" | "apiCalls" | "aiCalls" | "storageBytes" | "dashboards" | "alertRules" | "alertDestinations" | "idpConfigs";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `quotaType`, `status`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            /** @enum {unknown} */
                            quotaType: "plugins" | "pipelines" | "apiCalls" | "aiCalls" | "storageBytes" | "dashboards" | "alertRules" | "alertDestinations" | "idpConfigs";
                            status: components["schemas"]["QuotaStatus"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "quota.at-risk.get": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description Percent of the limit */
                threshold?: number;
                type?: "plugins" | "pipelines" | "apiCalls" | "aiCalls" | "storageBytes" | "dashboards" | "alertRules" | "alertDestinations" | "idpConfigs";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `atRisk`, `count`, `total`, `threshold` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["AtRiskGetAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "quota.quota.increment": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuotaIncrementBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `quota`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            quota: components["schemas"]["QuotaIncrement"];
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "quota.quota.reset": {
        parameters: {
            query?: never;
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description A fresh confirmation of identity, good for one request */
                "x-step-up-token"?: components["parameters"]["StepUpToken"];
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuotaResetBody"];
            };
        };
        responses: {
            /** @description Success. `data` holds `quota`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["QuotaGetAnswer"];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TokenOrStepUp"];
            403: components["responses"]["DeniedOrReadOnlySession"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceededOrRateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "quota.quota.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description `pagination.nextCursor` of the page before; with `sortBy` createdAt */
                cursor?: string;
                sortBy?: "createdAt" | "name";
                sortOrder?: "asc" | "desc";
                /** @description Leaves out teams, which show what their account has */
                accountsOnly?: boolean;
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `organizations`, `pagination`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: {
                            organizations: components["schemas"]["Quota"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "quota.at-risk.list": {
        parameters: {
            query?: {
                /** @description Items a page; brought into its bounds */
                limit?: number;
                /** @description Items to skip; not together with `cursor` */
                offset?: number;
                /** @description Percent of the limit */
                threshold?: number;
                type?: "plugins" | "pipelines" | "apiCalls" | "aiCalls" | "storageBytes" | "dashboards" | "alertRules" | "alertDestinations" | "idpConfigs";
            };
            header?: {
                /** @description Taken over when it has this form, else one is made */
                "x-request-id"?: components["parameters"]["RequestId"];
                /** @description The organization to work in, by id or slug; default: the active one of the credential */
                "x-org-id"?: components["parameters"]["OrgId"];
                /** @description 304 when nothing changed since this ETag */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. `data` holds `atRisk`, `count`, `total`, `threshold` and more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        statusCode: 200;
                        data: components["schemas"]["AtRiskGetAnswer"];
                    };
                };
            };
            /** @description Not changed since `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Token"];
            403: components["responses"]["Denied"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
