import { type Command, Option } from 'commander';
import { setting } from '../connection/connection.ts';
import { withOrganization } from '../connection/organization.ts';
import { readSource } from '../connection/pem-source.ts';
import { withImport } from './migrating.ts';
import { importOrganization, type OrganizationImportOptions } from './organization-options.ts';

interface StatesOptions extends OrganizationImportOptions {
  readonly from: string;
  readonly pattern: string;
  readonly workspaceName?: string;
  readonly project?: string;
  readonly executionMode?: string;
  readonly s3Region?: string;
  readonly s3Endpoint?: string;
  readonly names?: string;
  readonly pgSchema: string;
  readonly sourceCaCert?: string;
}

/** Command `lockkeeper import states`. */
export function addImportStates(command: Command): void {
  const states = command
    .command('states')
    .description('Take state files of a backend: each becomes a workspace')
    .requiredOption(
      '--from <place>',
      'folder, s3://BUCKET/PREFIX, https://HOST/PATH (http backend), or pg for the PostgreSQL of PG_CONN_STR',
    )
    .requiredOption(
      '--pattern <pattern>',
      'path of the files below it, such as "envs/{name}/terraform.tfstate"; {project} names the project',
    )
    .option(
      '--workspace-name <template>',
      'names of workspaces (default: all placeholders of the pattern, joined by hyphens)',
    )
    .option('--project <name>', 'project of the workspaces; it is created if it does not exist')
    .addOption(
      new Option('--execution-mode <mode>', 'of new workspaces (default: that of the project)').choices([
        'remote',
        'agent',
        'local',
      ]),
    )
    .option('--s3-region <region>', 'region of the bucket (default: AWS_REGION, or us-east-1)')
    .option('--s3-endpoint <url>', 'URL of an S3 service other than AWS (default: AWS_ENDPOINT_URL_S3)')
    .option('--names <names>', 'values of the placeholder, separated by commas, for a server that has no list')
    .option('--pg-schema <name>', 'schema of the pg backend', 'terraform_remote_state')
    .option('--source-ca-cert <file>', 'CA certificates (PEM) that verify the server of --from https://');
  withImport(withOrganization(states)).action(importStates);
}

async function importStates(options: StatesOptions): Promise<void> {
  await importOrganization(options, async (migration) => {
    const pattern = migration.compilePattern(options.pattern);
    const { workspaceName, project, executionMode } = options;
    const place = await migration.openPlace(options.from, pattern, {
      s3: {
        region: options.s3Region ?? setting('AWS_REGION', 'AWS_DEFAULT_REGION') ?? 'us-east-1',
        endpoint: options.s3Endpoint ?? setting('AWS_ENDPOINT_URL_S3'),
      },
      http: {
        names: options.names?.split(',').map((name) => name.trim()) ?? [],
        username: setting('TF_HTTP_USERNAME'),
        password: setting('TF_HTTP_PASSWORD'),
        ca:
          options.sourceCaCert === undefined
            ? undefined
            : readSource(options.sourceCaCert, 'the CA certificate of the source'),
      },
      pg: { address: setting('PG_CONN_STR'), schema: options.pgSchema },
    });
    const source = await migration.stateFileSource(place, { pattern, workspaceName, project, executionMode });
    return { ...source, close: () => place.close() };
  });
}
