import type pg from 'pg'

/** Three entries of the audit log: two acts and a look at somebody. */
export async function soundAudit(client: pg.ClientBase, about: string): Promise<void> {
  await client.query(
    `insert into audit_entries (actor, actor_role, kind, act, subject_user_id)
     values ('command line: test', 'command', 'act', 'suspend', $1), ('command line: test', 'command', 'look', 'see-strikes', $1),
            ('command line: test', 'command', 'act', 'unsuspend', $1)`,
    [about],
  )
}

const newest = `id = (select max(id) from audit_entries)`

/** Each breaks the chain on purpose; the last two as somebody would who knows how it is made. */
export const auditBreaks: [rule: string, sql: string][] = [
  ['28: audit: each entry', `update audit_entries set act = 'restore' where id = 2`],
  ['28: audit: each entry', `update audit_entries set details = '{"a": 1}' where id = 2`],
  ['28: audit: each entry', `update audit_entries set at = at - interval '1 second' where id = 1`],
  ['28: audit: each entry', `update audit_entries set subject_user_id = null where ${newest}`],
  ['28: audit: each entry', `delete from audit_entries where id = 1`],
  ['28: audit: each entry', `delete from audit_entries where id = 2`],
  ['28: audit: the newest', `delete from audit_entries where ${newest}`],
  ['28: audit: the newest', `delete from audit_entries`],
  ['28: audit: the newest', `update audit_head set entry_id = entry_id + 1`],
  ['28: audit: the newest', `delete from audit_head`],
  [
    '28: audit: each entry',
    `with changed as (select e, (jsonb_populate_record(e, '{"act": "other"}')) as new from audit_entries e where id = 2)
     update audit_entries set act = 'other', hash = audit_hash(new) from changed where id = 2`,
  ],
  [
    '28: audit: the newest',
    `with changed as (select jsonb_populate_record(e, '{"act": "other"}') as new from audit_entries e where ${newest})
     update audit_entries set act = 'other', hash = audit_hash(new) from changed where ${newest}`,
  ],
]
