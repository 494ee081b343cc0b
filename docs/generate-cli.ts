/** Writes docs/reference/cli.md from the definitions of the commands: `node docs/generate-cli.ts`. */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { EXIT_CODES } from '../src/cli/errors/exit-codes.ts';
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
    const without = mandatory ? '; required' : isShown ? `; else \`${String(defaultValue)}\`` : '';
    return row(flags, `${description}${choices}${without}`);
  });
  const rows = [...args, ...options];
  const table = rows.length === 0 ? [] : ['', '| | |', '|---|---|', ...rows];
  return [`### ${name}`, '', `${sentence(command.description())}`, ...table, ''];
}

const row = (name: string, description: string): string =>
  `| \`${name.replaceAll('|', '\\|')}\` | ${cell(description)} |`;
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

export async function cliPage(): Promise<string> {
  const { commands } = await wholeProgram();
  return `# The command line

Made from the definitions of the commands by \`node docs/generate-cli.ts\`; do not edit by hand. How to work with it:
[Use the command line](../guides/command-line.md).

## Exit codes

| Code | Meaning |
|---|---|
${Object.entries(EXIT_CODES)
  .map(([code, meaning]) => `| ${code} | ${cell(meaning)} |`)
  .join('\n')}

## Environment

| Variable | Alias | What it is |
|---|---|---|
| \`LOCKKEEPER_ADDR\` | \`VAULT_ADDR\` | The address of the server: \`https://lockkeeper.example.com\`. Else \`https://127.0.0.1:8200\` |
| \`LOCKKEEPER_CACERT\` | \`VAULT_CACERT\` | PEM file: whom the server is trusted by. Else those that Node.js trusts |
| \`LOCKKEEPER_TOKEN\` | \`VAULT_TOKEN\`; for the workspaces first \`TF_TOKEN_HOST\` | The token. Else the one that \`login\` keeps |
| \`LOCKKEEPER_CERT\` | \`VAULT_CLIENT_CERT\` | PEM file: the certificate to log in with |
| \`LOCKKEEPER_KEY\` | \`VAULT_CLIENT_KEY\` | PEM file: its private key. Else in the file of the certificate |
| \`LOCKKEEPER_ROLE\` | | The role to log in with. Else any that admits the certificate |
| \`LOCKKEEPER_MOUNT\` | | Where the certificate method is. Else \`cert\` |
| \`LOCKKEEPER_TEAM\` | | For the credentials helper in a [pipeline](../guides/pipelines.md): whose token, as \`organization/team\` |
| \`LOCKKEEPER_ID_TOKEN\` | | There: the token of the pipeline; \`LOCKKEEPER_ID_TOKEN_FILE\`: the file that it is in |
| \`LOCKKEEPER_ORGANIZATION\` | \`TF_CLOUD_ORGANIZATION\` | Whose workspaces |
| \`LOCKKEEPER_RUNTIME_DIR\` | | Where short-lived tokens are kept. Else \`$XDG_RUNTIME_DIR/lockkeeper\`, else \`lockkeeper-UID\` in the folder for temporary files |

What is set in the environment of \`lockkeeper serve\` is on the page [Configuration](configuration.md).

## Commands

${commands.flatMap((command) => section(command, 'lockkeeper')).join('\n')}`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL('reference/cli.md', import.meta.url), await cliPage());
}
