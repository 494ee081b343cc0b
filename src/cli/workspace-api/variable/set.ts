import { type Command, Option } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { readSource } from '../../connection/pem-source.ts';
import { usageError } from '../../errors/command-error.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { typedSecret } from '../../process/question.ts';
import { dataOf, WORKSPACE_ARGUMENT } from '../workspace-requests.ts';
import { type Category, rowOf, variablesAt, variablesPath } from './requests.ts';

interface SetOptions extends OrganizationOptions, OutputOptions {
  readonly env?: true;
  readonly sensitive?: true;
  readonly hcl?: true;
  readonly description?: string;
}

/** Command `lockkeeper variable set`. */
export function addVariableSet(variable: Command): void {
  const command = variable
    .command('set')
    .description('Create or change a variable of a workspace')
    .argument(...WORKSPACE_ARGUMENT)
    .argument('<variable>', 'NAME=VALUE, NAME=@FILE, NAME=- for standard input, or NAME to type a sensitive value')
    .addOption(new Option('--env', 'environment variable of runs, instead of a variable of the configuration'))
    .addOption(new Option('--sensitive', 'never show the value again; give it as @FILE or -'))
    .addOption(new Option('--hcl', 'the value is an expression, such as a list'))
    .option('--description <text>', 'description');
  withOutput(withConnection(withOrganization(command))).action(set);
}

async function set(named: string, variable: string, options: SetOptions): Promise<void> {
  const category: Category = options.env ? 'env' : 'terraform';
  const path = await variablesPath(named, options);
  const key = /^[^=]+/.exec(variable)?.[0] ?? '';
  const before = (await variablesAt(path, options)).find(
    ({ attributes }) => attributes.key === key && attributes.category === category,
  );
  const isSensitive = options.sensitive === true || before?.attributes.sensitive === true;
  const value = await readValue(variable, isSensitive);
  const attributes = {
    ...{ key, category, value },
    ...(options.sensitive && { sensitive: true }),
    ...(options.hcl && { hcl: true }),
    ...(options.description !== undefined && { description: options.description }),
  };
  const [method, place] = before === undefined ? ['POST', path] : ['PATCH', `${path}/${before.id}`];
  const { body } = await ask(options, 'workspaces', method, place, { data: { type: 'vars', attributes } });
  process.stderr.write(`${before === undefined ? 'Created' : 'Changed'} the variable ${key}\n`);
  await print({ whole: body, brief: rowOf(dataOf(body)) }, options);
}

/** A value in the arguments is visible to all users of the machine, so a sensitive one comes with a warning. */
async function readValue(variable: string, isSensitive: boolean): Promise<string> {
  const [, key, given] = /^([^=]+)(?:=([\s\S]*))?$/.exec(variable) ?? [];
  if (key === undefined) throw usageError(`${variable}: expected NAME=VALUE, NAME=@FILE or NAME=-`);
  if (given === '-' || given?.startsWith('@')) {
    return withoutLastNewline(readSource(given === '-' ? given : given.slice(1), `the value of ${key}`));
  }
  if (given !== undefined) {
    if (isSensitive) {
      process.stderr.write(
        'warning: other users of this machine can see arguments, and shells record them; use NAME=@FILE or NAME=-\n',
      );
    }
    return given;
  }
  if (!process.stdin.isTTY)
    throw usageError(`The value of ${key} is missing. Set ${key}=VALUE, ${key}=@FILE or ${key}=-`);
  return typedSecret(`Value of ${key} (not shown): `);
}

/** Editors and `echo` end a file with a newline, which is no part of a value on one line. */
function withoutLastNewline(text: string): string {
  const body = text.replace(/\r?\n$/, '');
  return body.includes('\n') ? text : body;
}
