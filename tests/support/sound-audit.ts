import type pg from 'pg'

/** Three entries of the audit log: two acts and a look at somebody, who has a second factor. */
export async function soundAudit(client: pg.ClientBase, about: string): Promise<void> {
  await client.query(
    `insert into audit_entries (actor, actor_role, kind, act, subject_user_id)
     values ('command line: test', 'command', 'act', 'suspend', $1), ('command line: test', 'command', 'look', 'see-strikes', $1),
            ('command line: test', 'command', 'act', 'unsuspend', $1)`,
    [about],
  )
  await client.query('update users set second_factor_since = app_now() where id = $1', [about])
  await client.query(`insert into second_factors (user_id, secret) values ($1, decode(repeat('00', 48), 'hex'))`, [about])
  await client.query(`insert into recovery_codes (user_id, code_hash) select $1, sha256(n::text::bytea) from generate_series(1, 10) as n`, [
    about,
  ])
}

const newest = `id = (select max(id) from audit_entries)`

/** Each breaks a rule on purpose; the last two as somebody would who knows how the chain is made. */
export const auditBreaks: [rule: string, sql: string][] = [
  ['28: second factors: whoever', 'delete from second_factors'],
  ['28: second factors: whoever', 'update users set second_factor_since = null where second_factor_since is not null'],
  ['28: second factors: whoever', `insert into recovery_codes (user_id, code_hash) select user_id, sha256('11') from second_factors`],
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
