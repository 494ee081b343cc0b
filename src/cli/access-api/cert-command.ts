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
  /** Error of the login. Null if it succeeds. */
  readonly error: string | null;
  readonly roles: readonly {
    readonly role: string;
    readonly admitted: boolean;
    readonly paths: readonly { readonly verdicts: readonly Verdict[] }[];
    readonly rejected: readonly Verdict[];
  }[];
}

/** Command `lockkeeper cert`. */
export function addCert(program: Command): void {
  const cert = program.command('cert').description('Check client certificates');
  const explain = cert
    .command('explain')
    .description('Explain for each role whether a certificate could log in, without logging in')
    .argument('<file>', 'file with the certificate, followed by its intermediates (PEM, DER or PKCS#7)')
    .option('--role <name>', 'check only this role')
    .option('--from <address>', 'IP address that the login would come from (default: this machine)')
    .option(
      '--mount <path>',
      `mount path of the certificate auth method (default: LOCKKEEPER_MOUNT, or ${DEFAULT_MOUNT})`,
    );
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
  // The rows do not show these errors: the first role in order refuses the login, or the role does not exist.
  if (error !== null && (roles.length === 0 || roles.some(({ admitted }) => admitted)))
    process.stderr.write(`the login would be refused: ${printable(error)}\n`);
  await print({ whole, brief: options.field === undefined ? rows(brief as Explained) : brief }, options);
}

/** Returns a row for each role: whether it accepts the certificate, or else its first failed check. */
function rows({ roles }: Explained): object[] {
  return roles.map(({ role, admitted, paths, rejected }) => {
    const verdicts = [...paths.flatMap((path) => path.verdicts), ...rejected];
    const against = admitted ? undefined : verdicts.find(({ outcome }) => outcome === 'refused');
    const { check = '', expected = '', actual = '', hint = '' } = against ?? {};
    return { role, accepted: admitted ? 'yes' : 'no', check, expected, actual, 'what to do': hint };
  });
}
