/**
 * More lines that keep the evidence right: whose events are shown, whose identities are not, and how events get into their
 * chains. Each was taken out in a copy, and its test failed there. Those that commit-order.test.ts holds need PostgreSQL.
 */
import { always, cut, drop, type Guard, guard, never, quote, swap, value } from './guard.js'

export const AUDIT_GUARDS: readonly Guard[] = [
  guard('the-organization-of-sealed-events', always, 'operations'),
  guard('events-on-an-organization', swap('eq(t.affectedOrgId, orgId)', 'undefined'), 'operations'),
  guard('events-that-its-people-caused-elsewhere', cut('eq(t.orgId, orgId), '), 'operations'),
  guard('the-count-of-an-organizations-events', cut('slice, '), 'operations'),
  guard('the-events-in-an-organizations-own-export', cut('concerns(t, orgId), '), 'chain/export'),
  guard('the-rows-of-one-chain', cut('eq(auditEvents.chain, chain), '), 'operations'),
  guard('the-waiting-events-that-verification-counts', cut(', eq(auditOutbox.chain, chain)'), 'operations'),
  guard('the-browser-of-a-foreign-actor', cut('isHidden ? null :'), 'chain/export'),
  guard('foreign-identities-in-an-export', swap('withholdForeign', '(record: AuditRecord) => record'), 'chain/export'),
  guard('an-export-says-what-it-withholds', drop, 'chain/export'),
  guard('one-pass-at-a-time', cut('|| running !== null'), 'sequencer'),
  guard('a-wake-up-while-a-pass-ends', drop, 'sequencer'),
  guard('a-pass-that-fails-is-repeated', drop, 'sequencer'),
  guard('rows-that-nobody-announced', drop, 'sequencer'),
  guard('stopping-waits-for-the-pass-that-runs', drop, 'sequencer'),
  guard('a-head-moved-by-its-number', cut(", eq(t.seq, value('seqBefore'))"), 'append'),
  guard('a-head-moved-by-its-hash', cut(", eq(t.hash, value('hashBefore'))"), 'append'),
  guard('a-head-that-was-not-moved', drop, 'append'),
  guard('head-and-tree-agree', cut('|| last.seq !== tree.size'), 'append'),
  guard('a-salt-for-every-commitment', value('0 * index'), 'append'),
  guard('commit-order-on-postgresql', cut('ORDER BY position'), 'append'),
  guard(
    'no-row-of-a-transaction-that-may-be-behind',
    cut('WHERE xid < pg_snapshot_xmin(pg_current_snapshot())'),
    'commit-order',
  ),
  guard('one-process-seals', swap('?.won !== true', '=== undefined'), 'commit-order'),
  guard('nobody-seals-while-somebody-is-erased', drop, 'commit-order'),
  guard(
    'a-row-leaves-the-outbox-once',
    swap(
      "if ((await takenOut(tx, rows, last)) !== rows.length) throw new HeadMoved('of the outbox')",
      'await takenOut(tx, rows, last)',
    ),
    'append',
  ),
  guard(
    'a-new-event-links-to-the-one-before-it-on-sqlite',
    quote(
      'the file is written by `npm run schema`',
      'migrations/sqlite/0001-baseline.sql',
      'audit_events WHEN NEW.seq <> 1 BEGIN',
      'audit_events WHEN false BEGIN',
    ),
    'append',
  ),
  guard('sealed-rows-leave-the-outbox', drop, 'append'),
  guard('a-conflict-is-no-failure', cut('|| brokenUniqueConstraint(error) !== null'), 'append'),
  guard('a-backup-that-nobody-can-prove', never, 'backup'),
  guard('the-seal-under-the-passphrase', always, 'backup'),
  guard('commit-waits-for-what-may-not-be-sendable', always, 'test/postgres'),
  guard('no-commit-before-its-last-statements-are-sent', always, 'postgres-transaction'),
  guard('the-manifest-that-was-signed', swap('?.text !== noteText(manifest)', '=== null'), 'backup'),
]
