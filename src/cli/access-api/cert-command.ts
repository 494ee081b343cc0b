import type { Command } from 'commander';
import { ask, type ConnectionOptions, setting, withConnection } from '../connection/connection.ts';
import { readSource } from '../connection/pem-source.ts';
import { DEFAULT_MOUNT } from '../credentials/host-settings.ts';
import { type OutputOptions, print, withOutput } from '../output/output.ts';
import { printable } from '../output/printable.ts';
import { shownEnvelope } from './access-path.ts';

interface ExplainOptions extends ConnectionOptions, OutputOptions {
  readonly role?: string;
  readonly mount?: string;
  readonly from?: string;
}

interface Verdict {
  readonly check: string;
  readonly outcome: string;
  readonly expected: string;
  readonly actual: string;
  readonly hint?: string;
}

interface Explained {
  /** Error that the login would answer; null where it succeeds. */
  readonly error: string | null;
  readonly roles: readonly {
    readonly role: string;
    readonly admitted: boolean;
    readonly paths: readonly { readonly verdicts: readonly Verdict[] }[];
    readonly rejected: readonly Verdict[];
  }[];
}

/** `lockkeeper cert` */
export function addCert(program: Command): void {
  const cert = program.command('cert').description('certificates, and what the server makes of them');
  const explain = cert
    .command('explain')
    .description('say role by role why a certificate would be admitted or not; nobody is logged in')
    .argument('<file>', 'the certificate, then its intermediates: PEM, DER or PKCS#7')
    .option('--role <name>', 'this role alone')
    .option('--from <address>', 'where the login would come from; else this machine')
    .option('--mount <path>', `where the method is; else LOCKKEEPER_MOUNT, else ${DEFAULT_MOUNT}`);
  withOutput(withConnection(explain)).action(explainFile);
}

async function explainFile(file: string, options: ExplainOptions): Promise<void> {
  const { role, from, mount = setting('LOCKKEEPER_MOUNT') ?? DEFAULT_MOUNT } = options;
  const asked = {
    certificate: readSource(file, 'the certificate'),
    ...(role !== undefined && { name: role }),
    ...(from !== undefined && { address: from }),
  };
  const { body } = await ask(options, 'access', 'POST', `/v1/auth/${mount}/login/explain`, asked);
  const { whole, brief } = shownEnvelope(body);
  const { error, roles } = brief as Explained;
  // The rows do not show it: the role that the login takes first refuses it, or there is no such role.
  if (error !== null && (roles.length === 0 || roles.some(({ admitted }) => admitted)))
    process.stderr.write(`the login would be refused: ${printable(error)}\n`);
  await print({ whole, brief: options.field === undefined ? rows(brief as Explained) : brief }, options);
}

/** A row for each role: whether it admits, and else the first thing that stands in the way. */
function rows({ roles }: Explained): object[] {
  return roles.map(({ role, admitted, paths, rejected }) => {
    const verdicts = [...paths.flatMap((path) => path.verdicts), ...rejected];
    const against = admitted ? undefined : verdicts.find(({ outcome }) => outcome === 'refused');
    const { check = '', expected = '', actual = '', hint = '' } = against ?? {};
    return { role, admitted: admitted ? 'yes' : 'no', check, expected, actual, 'what to do': hint };
  });
}
