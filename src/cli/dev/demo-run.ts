import { packFiles } from '../../archive/index.ts';
import type { Client } from '../client/client.ts';

/** Workspace whose runs the demo's agent executes. */
export const RUN_WORKSPACE = 'hello';

const CONFIGURATION = `variable "greeting" {
  type    = string
  default = "Hello"
}

resource "terraform_data" "greeting" {
  input = "\${var.greeting}, this is a run of Lockkeeper"
}

output "greeting" {
  value = terraform_data.greeting.output
}
`;

/** Parameters of the sample run. */
export interface DemoRunOptions {
  readonly asUser: Client;
  readonly organization: string;
  /** Uploads bytes to a signed URL. */
  upload(url: string, bytes: Buffer): Promise<void>;
}

interface Made {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/**
 * Creates a workspace with a configuration and a run that waits for confirmation, unless they exist.
 * @returns the ID of the current run
 */
export async function ensureDemoRun({ asUser, organization, upload }: DemoRunOptions): Promise<string> {
  const workspaces = `/api/v2/organizations/${organization}/workspaces`;
  const there = await asUser('GET', `${workspaces}/${RUN_WORKSPACE}`);
  if (there.status === 200) {
    const { data } = there.body as { readonly data: { readonly relationships: Relationships } };
    return data.relationships['current-run'].data?.id ?? '';
  }
  const make = async (path: string, type: string, attributes: object, relationships: object = {}): Promise<Made> => {
    const { status, body } = await asUser('POST', path, { data: { type, attributes, relationships } });
    if (status >= 300) throw new Error(`the sample run could not be created: ${status} ${JSON.stringify(body)}`);
    return (body as { readonly data: Made }).data;
  };
  const workspace = await make(workspaces, 'workspaces', {
    name: RUN_WORKSPACE,
    description: 'The agent of this demo executes its runs',
    'execution-mode': 'remote',
  });
  const path = `/api/v2/workspaces/${workspace.id}/configuration-versions`;
  const version = await make(path, 'configuration-versions', { 'auto-queue-runs': false });
  await upload(String(version.attributes['upload-url']), packFiles([{ name: 'main.tf', content: CONFIGURATION }]));
  const run = await make(
    '/api/v2/runs',
    'runs',
    { message: 'First run of the demo' },
    { workspace: { data: { type: 'workspaces', id: workspace.id } } },
  );
  return run.id;
}

interface Relationships {
  readonly 'current-run': { readonly data: { readonly id: string } | null };
}
