/** Writes docs/reference/cli.md from the definitions of the commands: `node docs/generate-cli.ts`. */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { EXIT_CODES } from '../src/cli/errors/exit-codes.ts';
import { GROUPS, helpOf, OTHER } from '../src/cli/help/groups.ts';
import { wholeProgram } from '../src/cli/program.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '\\<');

function section(command: Command, before: string): string[] {
  const name = `${before} ${command.name()}`;
  if (command.commands.length > 0) return command.commands.flatMap((one) => section(one, name));
  const args = command.registeredArguments.map((argument) => {
    const values = argument.argChoices ? `: ${argument.argChoices.join(', ')}` : argument.description;
    return row(argument.required ? `<${argument.name()}>` : `[${argument.name()}]`, values);
  });
  const options = command.options.map(({ flags, description, argChoices, defaultValue, mandatory }) => {
    const choices = argChoices ? `: ${argChoices.join(', ')}` : '';
    const isShown = defaultValue !== undefined && defaultValue !== false && !Array.isArray(defaultValue);
    const without = mandatory ? '; required' : isShown ? `; default \`${String(defaultValue)}\`` : '';
    return row(flags, `${description}${choices}${without}`);
  });
  const rows = [...args, ...options];
  const table = rows.length === 0 ? [] : ['', '| | |', '|---|---|', ...rows];
  return [`#### ${name}`, '', `${sentence(command.description())}`, ...table, ...more(name), ''];
}

/** Examples and the guide of a command. */
function more(name: string): string[] {
  const { examples, guide } = helpOf(name.replace(/^lockkeeper /, ''));
  const code = examples.length === 0 ? [] : ['', '```sh', ...examples, '```'];
  return [...code, ...(guide === undefined ? [] : ['', `Guide: [${guide}](../${guide})`])];
}

const row = (name: string, description: string): string =>
  `| \`${name.replaceAll('|', '\\|')}\` | ${cell(description)} |`;
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

export async function cliPage(): Promise<string> {
  const { commands } = await wholeProgram();
  return `# Command line

Generated from the command definitions by \`node docs/generate-cli.ts\`; do not edit by hand. Guide:
[Use the command line](../guides/command-line.md).

## Exit codes

| Code | Meaning |
|---|---|
${Object.entries(EXIT_CODES)
  .map(([code, meaning]) => `| ${code} | ${cell(meaning)} |`)
  .join('\n')}

## Environment

| Variable | Alias | Meaning |
|---|---|---|
| \`LOCKKEEPER_ADDR\` | \`VAULT_ADDR\` | URL of the server, for example \`https://lockkeeper.example.com\`. Default: \`https://127.0.0.1:8200\` |
| \`LOCKKEEPER_CACERT\` | \`VAULT_CACERT\` | PEM file with the CA certificates that verify the server. Default: the CAs that Node.js trusts |
| \`LOCKKEEPER_TOKEN\` | \`VAULT_TOKEN\`; for the workspace API first \`TF_TOKEN_HOST\` | Token. Default: the token that \`login\` saved |
| \`LOCKKEEPER_CERT\` | \`VAULT_CLIENT_CERT\` | PEM file with the client certificate for the login |
| \`LOCKKEEPER_KEY\` | \`VAULT_CLIENT_KEY\` | PEM file with its private key. Default: the file of the certificate |
| \`LOCKKEEPER_ROLE\` | | Role for the login. Default: any role that accepts the certificate |
| \`LOCKKEEPER_MOUNT\` | | Mount of the \`cert\` auth method. Default: \`cert\` |
| \`LOCKKEEPER_TEAM\` | | Team as \`organization/team\`, for the credentials helper in a [pipeline](../guides/pipelines.md) |
| \`LOCKKEEPER_ID_TOKEN\` | | Token of the CI system, for the credentials helper in a pipeline; or \`LOCKKEEPER_ID_TOKEN_FILE\`: a file with the token |
| \`LOCKKEEPER_ORGANIZATION\` | \`TF_CLOUD_ORGANIZATION\` | Organization of the workspaces |
| \`LOCKKEEPER_SOURCE_ADDR\` | \`TFE_ADDRESS\` for \`import hcp-terraform\` | URL of the server that an import reads |
| \`LOCKKEEPER_SOURCE_TOKEN\` | \`TFE_TOKEN\`, then \`TF_TOKEN_HOST\`, for \`import hcp-terraform\` | Token of that server |
| \`LOCKKEEPER_SOURCE_CACERT\` | | PEM file with the CA certificates that verify that server. Default: the CAs that Node.js trusts |
| \`BROWSER\` | | Program that opens URLs; empty: none. Default: the browser of the system |
| \`LOCKKEEPER_RUNTIME_DIR\` | | Folder for short-lived tokens. Default: \`$XDG_RUNTIME_DIR/lockkeeper\`, otherwise \`lockkeeper-UID\` in the folder for temporary files |

The environment variables of \`lockkeeper serve\` are in [Configuration](configuration.md).

## Commands

${GROUPS.flatMap(({ title, commands: names }) => {
  const isListed = (command: Command) =>
    names.includes(command.name()) || (title === OTHER && !GROUPS.some((one) => one.commands.includes(command.name())));
  const listed = commands.filter(isListed);
  return [`### ${title}`, '', ...listed.flatMap((command) => section(command, 'lockkeeper'))];
}).join('\n')}`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL('reference/cli.md', import.meta.url), await cliPage());
}
