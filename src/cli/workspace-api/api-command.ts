import { Argument, type Command } from 'commander';
import { ask, type ConnectionOptions, withConnection } from '../connection/connection.ts';
import { readJson } from '../connection/request-body.ts';
import { type OutputOptions, print, withOutput } from '../output/output.ts';
import { shownDocument } from './resource.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

interface ApiOptions extends ConnectionOptions, OutputOptions {
  readonly data?: string;
}

/** Command `lockkeeper api`: sends any request to the workspace API. */
export function addApi(program: Command): void {
  const command = program
    .command('api')
    .description('Send a request to the workspace API')
    .addArgument(new Argument('<method>', METHODS.join(', ')).argParser((method) => method.toUpperCase()))
    .argument('<path>', 'below /api/v2: organizations/acme/workspaces')
    .option('-d, --data <json>', 'request body: JSON, @file, or - for standard input');
  withOutput(withConnection(command), 'json').action(api);
}

async function api(method: string, path: string, options: ApiOptions): Promise<void> {
  const { data } = options;
  const full = `/api/v2/${path.replace(/^\/?(api\/v2\/)?/, '').replace(/^\/+/, '')}`;
  const { body } = await ask(options, 'workspaces', method, full, data === undefined ? undefined : readJson(data));
  if (body !== undefined) await print(shownDocument(body), options);
}
