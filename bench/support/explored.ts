import { Blobs, type Database, FileBlobs, type Keyring, type Params, sql } from '../../src/storage/index.ts';
import { sealSummary } from '../../src/workspaces/state/version/summary.ts';
import { DEFAULT_SETTINGS } from '../../src/workspaces/workspace/model/settings.ts';

const NUMBERS =
  'WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < cast(:count AS integer))';

/**
 * Fills an organization with workspaces that have 4 providers, 25 resource types and 3 modules each. All have the same
 * state.
 * @param folder for the bytes of the state
 */
export async function fillExplored(
  database: Database,
  { keyring, folder, organization, count }: { keyring: Keyring; folder: string; organization: string; count: number },
): Promise<void> {
  const blobs = new Blobs(new FileBlobs(folder), keyring);
  const blob = await blobs.write([Buffer.from('{}')], { scope: 'bench', maxBytes: 10 });
  const now = Date.now();
  const uses = JSON.stringify({
    providers: ['aws', 'random', 'null', 'tls'].map((name) => `registry.opentofu.org/hashicorp/${name}`),
    types: Array.from({ length: 25 }, (_, at) => [`aws_type_${at}`, at % 4, at + 1]),
    modules: ['vpc', 'eks', 'eks.nodes'],
  });
  const statements: readonly (readonly [text: string, params: Params])[] = [
    [
      `INSERT INTO project (id, organization_id, name, workspace_count, created_at)
       VALUES ('prj-explored', :organization, 'explored', 0, :now)`,
      { organization, now },
    ],
    [
      `${NUMBERS} INSERT INTO workspace (id, organization_id, project_id, name, settings, resource_count, version,
         created_at, updated_at, latest_change_at, current_run_status, current_state_version_id)
       SELECT 'ws-' || i, :organization, 'prj-explored',
         'team-' || (i % 50) || '-' || ((i * 7919) % cast(:count as integer)), :settings, i % 40, 1, :now, :now, :now,
         CASE WHEN i % 20 = 0 THEN 'errored' ELSE 'applied' END, 'sv-' || i FROM n`,
      { organization, count, now, settings: JSON.stringify(DEFAULT_SETTINGS) },
    ],
    [
      `INSERT INTO blob (name, workspace_id, content_hash, size, data_key, key_version, uses, created_at)
       VALUES (:name, 'ws-0', :hash, 2, :dataKey, 1, :count, :now)`,
      { name: blob.name, hash: blob.hash, dataKey: blob.dataKey, count, now },
    ],
    [
      `INSERT INTO state_content (blob_name, format, encrypted, engine_version, resource_count, output_count, outputs,
         resources, overview, summary) VALUES (:name, 4, 0, '1.10.5', 25, 0, :none, :none, :none, :summary)`,
      { name: blob.name, none: new Uint8Array(1), summary: sealSummary(blobs, blob, uses) },
    ],
    [
      `${NUMBERS} INSERT INTO state_version (id, workspace_id, position, status, intermediate, serial, md5, forced, size,
         creator, state_blob, created_at)
       SELECT 'sv-' || i, 'ws-' || i, 1, 'finalized', 0, 1, '', 0, 1, '{}', :name,
         CAST(:now AS BIGINT) - CAST(i % 90 AS BIGINT) * 86400000 FROM n`,
      { count, now, name: blob.name },
    ],
    [
      `${NUMBERS} INSERT INTO workspace_packages (workspace_id, packages, recorded_at, applied_at)
       SELECT 'ws-' || i, '{"providers":[{"source":"registry.opentofu.org/hashicorp/aws","version":"5.' || (i % 60) ||
         '.0"}],"modules":[{"key":"vpc","source":"registry.opentofu.org/acme/vpc/aws","version":"2.' || (i % 30) || '.0"}]}',
         :now, CAST(:now AS BIGINT) - CAST(i % 90 AS BIGINT) * 86400000 FROM n`,
      { count, now },
    ],
  ];
  for (const [text, params] of statements) await database.transaction((tx) => tx.run(sql<Params>(text), params));
}
