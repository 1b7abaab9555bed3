/** Words in which the two databases differ. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  readonly bytes: string
  /** Leaves room in a page, so that an update needs no new entry in any index. */
  readonly roomForUpdates: string
  /** Text at a path of names in a column that holds JSON; null where there is none. */
  readonly jsonText: (column: string, path: readonly string[]) => string
  /** What the database does with a column that it makes of others itself. */
  readonly generated: 'STORED' | 'VIRTUAL'
  /** The store's time. */
  readonly now: number
}

export interface Migration {
  readonly version: number
  /**
   * A program that does not know it can't work with the database any more. All others only add:
   * programs of the version before go on beside one that has them, and may start again.
   */
  readonly breaks?: true
  readonly statements: (dialect: Dialect) => readonly string[]
}

/** Every table of these belongs to tenants; on PostgreSQL each gets row-level security. */
export const tenantTables = [
  'tenants',
  'api_keys',
  'jobs',
  'endpoints',
  'plans',
  'runs',
  'usage',
  'secrets',
  'audit',
  'planner_sessions',
  'attention',
  'idempotency',
  'log_outs',
  'deleted_endpoints',
  'memories',
  'habits',
] as const

/**
 * Forward only: what has been released is never changed, only added to. Columns that are added have
 * a default or may be null, since a program that does not know them makes rows without them.
 */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    breaks: true,
    statements: ({ bytes, roomForUpdates }) => [
      `CREATE TABLE tenants (
        tenant_id text PRIMARY KEY,
        name text NOT NULL,
        created_at bigint NOT NULL,
        quotas text NOT NULL,
        retention text NOT NULL,
        endpoint_count bigint NOT NULL DEFAULT 0,
        bodies_pruned_before bigint NOT NULL DEFAULT 0
      )`,
      `CREATE TABLE api_keys (
        id text PRIMARY KEY,
        tenant_id text NOT NULL,
        name text NOT NULL,
        prefix text NOT NULL,
        hash text NOT NULL UNIQUE,
        scopes text NOT NULL,
        created_at bigint NOT NULL,
        expires_at bigint,
        revoked_at bigint,
        last_used_at bigint
      )`,
      'CREATE INDEX api_keys_by_tenant ON api_keys (tenant_id, id)',
      `CREATE TABLE jobs (
        id text PRIMARY KEY,
        tenant_id text NOT NULL,
        name text NOT NULL,
        description text,
        status text NOT NULL,
        version bigint NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL
      )`,
      'CREATE INDEX jobs_by_tenant ON jobs (tenant_id, id)',
      `CREATE UNIQUE INDEX jobs_by_name ON jobs (tenant_id, name) WHERE status <> 'archived'`,
      `CREATE TABLE endpoints (
        id text PRIMARY KEY,
        tenant_id text NOT NULL,
        job_id text NOT NULL,
        name text NOT NULL,
        version bigint NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        archived_at bigint,
        definition text NOT NULL
      )`,
      'CREATE INDEX endpoints_by_tenant ON endpoints (tenant_id, id)',
      'CREATE INDEX endpoints_by_job ON endpoints (job_id, id)',
      `CREATE UNIQUE INDEX endpoints_by_name ON endpoints (job_id, name)
        WHERE archived_at IS NULL`,
      // The hot table: narrow, one row an endpoint, one index on the only thing workers look for.
      `CREATE TABLE plans (
        endpoint_id text PRIMARY KEY,
        tenant_id text NOT NULL,
        created_at bigint NOT NULL,
        wake_at bigint,
        wake_kind text NOT NULL,
        version bigint NOT NULL,
        next_run_at bigint,
        source text NOT NULL,
        period_id text,
        fence bigint NOT NULL,
        held_for bigint,
        held_source text,
        lease_until bigint,
        deliveries bigint,
        handled_through bigint,
        last_run_at bigint,
        last_status text,
        failure_count bigint NOT NULL,
        suspended bigint NOT NULL,
        adjustments text
      ) ${roomForUpdates}`,
      'CREATE INDEX plans_by_wake ON plans (wake_at) WHERE wake_at IS NOT NULL',
      // Unique on (endpoint, scheduledFor): the database refuses a second run of a period.
      `CREATE TABLE runs (
        endpoint_id text NOT NULL,
        scheduled_for bigint NOT NULL,
        tenant_id text NOT NULL,
        period_id text NOT NULL,
        source text NOT NULL,
        status text NOT NULL,
        reason text,
        fence bigint NOT NULL,
        owner text,
        overlap_lease bigint,
        claimed_at bigint,
        started_at bigint,
        ended_at bigint,
        attempts bigint NOT NULL,
        context text NOT NULL,
        result text,
        body ${bytes},
        PRIMARY KEY (endpoint_id, scheduled_for)
      ) ${roomForUpdates}`,
      'CREATE INDEX runs_by_tenant ON runs (tenant_id, scheduled_for, endpoint_id)',
      `CREATE INDEX runs_overlapping ON runs (overlap_lease) WHERE overlap_lease IS NOT NULL`,
      `CREATE TABLE usage (
        tenant_id text NOT NULL,
        month text NOT NULL,
        shard bigint NOT NULL,
        runs bigint NOT NULL,
        ai_calls bigint NOT NULL,
        ai_tokens bigint NOT NULL,
        PRIMARY KEY (tenant_id, month, shard)
      )`,
      `CREATE TABLE secrets (
        tenant_id text NOT NULL,
        name text NOT NULL,
        id text NOT NULL,
        version bigint NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        sealed_values text NOT NULL,
        PRIMARY KEY (tenant_id, name)
      )`,
      `CREATE TABLE audit (
        id text PRIMARY KEY,
        tenant_id text NOT NULL,
        at bigint NOT NULL,
        actor text NOT NULL,
        action text NOT NULL,
        subject text NOT NULL,
        before_change text,
        after_change text,
        reason text
      )`,
      'CREATE INDEX audit_by_tenant ON audit (tenant_id, id)',
      `CREATE TABLE planner_sessions (
        id text PRIMARY KEY,
        tenant_id text NOT NULL,
        endpoint_id text NOT NULL,
        started_at bigint NOT NULL,
        session text NOT NULL
      )`,
      'CREATE INDEX planner_sessions_by_tenant ON planner_sessions (tenant_id, id)',
      `CREATE TABLE attention (
        endpoint_id text PRIMARY KEY,
        tenant_id text NOT NULL,
        at bigint NOT NULL,
        why text NOT NULL
      )`,
      'CREATE INDEX attention_by_age ON attention (at)',
      `CREATE TABLE idempotency (
        tenant_id text NOT NULL,
        request_key text NOT NULL,
        created_at bigint NOT NULL,
        request_hash text,
        status bigint,
        headers text,
        body text,
        PRIMARY KEY (tenant_id, request_key)
      )`,
      'CREATE INDEX idempotency_by_age ON idempotency (created_at)',
      `CREATE TABLE claims (
        claim_id text PRIMARY KEY,
        at bigint NOT NULL,
        taken text
      )`,
      'CREATE INDEX claims_by_age ON claims (at)',
    ],
  },
  {
    version: 2,
    breaks: true,
    // The endpoint up to which retention by number has come; empty at the start of a pass.
    statements: () => [
      `ALTER TABLE tenants ADD COLUMN excess_pruned_through text NOT NULL DEFAULT ''`,
    ],
  },
  {
    version: 3,
    breaks: true,
    statements: () => [
      // Runs of an endpoint that overlap, and old planner sessions, are found without a search.
      `CREATE INDEX runs_overlapping_by_endpoint ON runs (endpoint_id)
        WHERE overlap_lease IS NOT NULL`,
      'CREATE INDEX planner_sessions_by_age ON planner_sessions (tenant_id, started_at)',
      `CREATE TABLE log_outs (
        tenant_id text NOT NULL,
        session_id text NOT NULL,
        expires_at bigint NOT NULL,
        PRIMARY KEY (tenant_id, session_id)
      )`,
      'CREATE INDEX log_outs_by_age ON log_outs (expires_at)',
    ],
  },
  {
    version: 4,
    // Since when the schedule of an endpoint counts, and with which timing.
    statements: () => [
      'ALTER TABLE plans ADD COLUMN timing text',
      'ALTER TABLE plans ADD COLUMN responsible_since bigint',
    ],
  },
  {
    version: 5,
    // Planners propose, and act only where people say so: their hints are dropped by the next plan.
    statements: ({ now, jsonText }) => [
      `UPDATE endpoints SET definition = replace(definition, '"planner":"on"', '"planner":"suggest"')`,
      `UPDATE plans SET next_run_at = ${now}, wake_at = ${now}, wake_kind = 'waiting',
         source = 'paused'
       WHERE held_for IS NULL AND suspended = 0
         AND (${jsonText('adjustments', ['intervalHint', 'by'])} LIKE 'planner:%'
           OR ${jsonText('adjustments', ['oneShotHint', 'by'])} LIKE 'planner:%')`,
    ],
  },
  {
    version: 6,
    // What an endpoint is seeded with; those that are there keep their id.
    statements: () => ['ALTER TABLE endpoints ADD COLUMN identity text'],
  },
  {
    version: 7,
    // An index for each filter that the API documents; run-history.ts tells how runs are found.
    statements: ({ name }) => [
      'CREATE INDEX runs_by_source ON runs (tenant_id, source, scheduled_for, endpoint_id)',
      ...(name === 'sqlite'
        ? [
            `CREATE INDEX runs_by_status ON runs (tenant_id, status, scheduled_for, endpoint_id)
              WHERE status <> 'success'`,
          ]
        : []),
      'CREATE INDEX jobs_by_status ON jobs (tenant_id, status, id)',
      'DROP INDEX endpoints_by_job',
      'CREATE INDEX endpoints_of_job ON endpoints (tenant_id, job_id, id)',
      'CREATE INDEX endpoints_live ON endpoints (tenant_id, id) WHERE archived_at IS NULL',
      'CREATE INDEX endpoints_archived ON endpoints (tenant_id, id) WHERE archived_at IS NOT NULL',
      `CREATE INDEX endpoints_of_job_live ON endpoints (tenant_id, job_id, id)
        WHERE archived_at IS NULL`,
      `CREATE INDEX endpoints_of_job_archived ON endpoints (tenant_id, job_id, id)
        WHERE archived_at IS NOT NULL`,
      'CREATE INDEX audit_by_subject ON audit (tenant_id, subject, id)',
      'CREATE INDEX planner_sessions_by_endpoint ON planner_sessions (tenant_id, endpoint_id, id)',
    ],
  },
  {
    version: 8,
    statements: () => [
      // Keys that have sealed something, each with a text that only it opens.
      `CREATE TABLE sealing_keys (
        id text PRIMARY KEY,
        sealed text NOT NULL,
        created_at bigint NOT NULL
      )`,
      // What is written to find out whether anything can be.
      'CREATE TABLE write_probe (id bigint PRIMARY KEY, at bigint NOT NULL)',
      'ALTER TABLE tenants ADD COLUMN suspended_at bigint',
    ],
  },
  {
    version: 9,
    // Whose runs those of an endpoint are that is no more, as long as there are any.
    statements: () => [
      `CREATE TABLE deleted_endpoints (
        tenant_id text NOT NULL,
        job_id text NOT NULL,
        endpoint_id text NOT NULL,
        deleted_at bigint NOT NULL,
        PRIMARY KEY (tenant_id, endpoint_id)
      )`,
      'CREATE INDEX deleted_endpoints_of_job ON deleted_endpoints (tenant_id, job_id, endpoint_id)',
      'CREATE INDEX deleted_endpoints_by_age ON deleted_endpoints (tenant_id, deleted_at)',
    ],
  },
  {
    version: 10,
    // What all tenants together did. Those that were deleted before are not in it.
    statements: () => [
      `CREATE TABLE system_usage (
        month text NOT NULL,
        shard bigint NOT NULL,
        runs bigint NOT NULL,
        ai_calls bigint NOT NULL,
        ai_tokens bigint NOT NULL,
        PRIMARY KEY (month, shard)
      )`,
      `INSERT INTO system_usage (month, shard, runs, ai_calls, ai_tokens)
        SELECT month, shard, sum(runs), sum(ai_calls), sum(ai_tokens) FROM usage
        GROUP BY month, shard`,
    ],
  },
  {
    version: 11,
    // When a run was asked for. The database computes the column from the JSON that every program
    // writes, so it stays right beside an older program that does not know the column.
    statements: ({ jsonText, generated }) => [
      `ALTER TABLE plans ADD COLUMN requested_at bigint GENERATED ALWAYS AS
        (CAST(${jsonText('adjustments', ['requested', 'at'])} AS bigint)) ${generated}`,
    ],
  },
  {
    version: 12,
    // What the learner remembers of each endpoint (see memory-row.ts).
    statements: ({ bytes, roomForUpdates }) => [
      `CREATE TABLE memories (
        endpoint_id text PRIMARY KEY,
        tenant_id text NOT NULL,
        numbers ${bytes} NOT NULL
      ) ${roomForUpdates}`,
      `CREATE TABLE habits (
        endpoint_id text PRIMARY KEY,
        tenant_id text NOT NULL,
        counts ${bytes} NOT NULL
      ) ${roomForUpdates}`,
    ],
  },
]
