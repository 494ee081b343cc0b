import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { type Execution, ownExecution } from '../support/execution.ts';
import { installed } from '../support/installation.ts';
import { type Backend, Installation, ORGANIZATION } from '../tofu/installation.ts';
import { Project, type Running } from '../tofu/project.ts';

export const TOFU = join(installed.tofu, 'tofu');
const hasTerraform = spawnSync('terraform', ['version']).status === 0;

/**
 * Command lines of both engines, with each way to configure the server. Terraform of any version, where one is on the
 * PATH.
 */
export const CLIENTS = (['cloud', 'remote'] as const).flatMap((backend) => [
  { client: 'tofu', program: TOFU, backend },
  ...(hasTerraform ? [{ client: 'terraform', program: 'terraform', backend }] : []),
]);

/** Options of a new project; default: `tofu` with a `cloud` block. */
export interface Made {
  readonly program?: string;
  readonly backend?: Backend;
  /** Settings of its workspace. */
  readonly settings?: object;
}

/** A server that executes runs itself, with the engine of the command line. */
export class Remote {
  readonly installation: Installation;
  readonly #execution: Execution;

  private constructor(installation: Installation, execution: Execution) {
    this.installation = installation;
    this.#execution = execution;
  }

  /** @param reachesHost whether runs can reach services of this machine that a test starts */
  static async start(slots = 4, reachesHost = false): Promise<Remote> {
    const execution = await ownExecution(slots, reachesHost);
    return new Remote(await Installation.start(execution.settings), execution);
  }

  async stop(): Promise<void> {
    await this.installation.stop();
    this.#execution.remove();
  }

  /** Creates a folder whose configuration the server executes, in a workspace of that name. */
  async project(
    name: string,
    configuration: string | Readonly<Record<string, string>>,
    { program = TOFU, backend = 'cloud', settings = {} }: Made = {},
  ): Promise<Project> {
    const path = `/api/v2/organizations/${ORGANIZATION}/workspaces`;
    // The agent's engine executes the run, whatever the version of the command line.
    await this.installation.create(path, 'workspaces', { name, 'terraform-version': 'latest', ...settings });
    const files = typeof configuration === 'string' ? { 'main.tf': configuration } : configuration;
    const made = new Project(this.installation.surroundings(program, 'token'), {
      'backend.tf': this.installation.backend(backend, `name = "${name}"`),
      ...files,
    });
    await made.done('init', '-input=false');
    return made;
  }

  /** Returns the newest run of a workspace. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  async run(name: string): Promise<any> {
    const { id } = await this.installation.workspace(name);
    return (await this.installation.call('GET', `/api/v2/workspaces/${id}/runs?page[size]=1`)).body.data[0]?.attributes;
  }

  /** @throws Error when the run does not reach the status in time */
  async runIs(name: string, ...statuses: readonly string[]): Promise<void> {
    await eventually(async () => expect((await this.run(name))?.status).toBeOneOf([...statuses]));
  }

  /** Connects a workspace to a repository. The connection was never checked, so the server does not contact it. */
  async follow(workspaceId: string, identifier: string): Promise<void> {
    const url = 'https://git.example.com';
    const attributes = { 'service-provider': 'github_enterprise', 'http-url': url, 'api-url': `${url}/api/v3` };
    const path = `/api/v2/organizations/${ORGANIZATION}/oauth-clients`;
    const client = await this.installation.create(path, 'oauth-clients', { ...attributes, 'oauth-token-string': 'x' });
    const tokens = await this.installation.call('GET', `/api/v2/oauth-clients/${client}/oauth-tokens`);
    const repository = { identifier, 'oauth-token-id': tokens.body.data[0].id };
    const data = { type: 'workspaces', attributes: { 'vcs-repo': repository } };
    const changed = await this.installation.call('PATCH', `/api/v2/workspaces/${workspaceId}`, { body: { data } });
    expect(changed.status, changed.text).toBe(200);
  }

  /** Sets a variable of a workspace. */
  async variable(workspace: string, key: string, value: string, more: object = {}): Promise<void> {
    const { id } = await this.installation.workspace(workspace);
    const attributes = { key, value, category: 'terraform', ...more };
    await this.installation.create(`/api/v2/workspaces/${id}/vars`, 'vars', attributes);
  }

  /** Returns the resources in the current state of a workspace: `terraform_data.app`. */
  async resources(name: string): Promise<string[]> {
    const { resources } = JSON.parse(await this.installation.storedState(name));
    return resources.map((one: { type: string; name: string }) => `${one.type}.${one.name}`);
  }
}

/**
 * Repeats a function until it does not throw. Tests that run concurrently cannot use `expect.poll`.
 * @throws Error of the last attempt
 */
export const eventually = (check: () => unknown): Promise<unknown> =>
  vi.waitFor(check, { timeout: 120_000, interval: 200 });

/**
 * Waits until a command line has printed a text.
 * @throws Error when it does not in time
 */
export async function prints(running: Running, text: RegExp): Promise<void> {
  await eventually(() => expect(running.printed()).toMatch(text));
}

/** Returns text on one line, without box frames, so that comparisons do not depend on line breaks. */
export const flat = (text: string): string => text.replaceAll(/[│╷╵]/g, ' ').replaceAll(/\s+/g, ' ');
