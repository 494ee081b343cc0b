import { type Command, Option } from 'commander';
import type { Diagnosis } from '../../diagnosis/index.ts';
import { type Status, worst } from '../../lib/finding/finding.ts';
import { version } from '../../version.ts';
import { silentFailure } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { withConfig } from '../process/config-file.ts';
import { addBundle } from './bundle-command.ts';
import { type ExamineOptions, endSoon, examine } from './examine.ts';
import { subjectText } from './tree-text.ts';

interface CheckOptions extends ExamineOptions {
  readonly format: 'text' | 'json';
}

/** Command `lockkeeper diagnose`: finds problems of a server, running or not, and their fixes. */
export function addDiagnose(program: Command): void {
  const command = program.command('diagnose').description('Find problems of a server, running or not');
  withExamining(command.command('check', { isDefault: true }))
    .description(
      'Check everything that the server needs and print how to fix problems. Changes nothing. Default of `lockkeeper diagnose`. ' +
        'Exit code 1 for failures, 7 for warnings only',
    )
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .action(check);
  addBundle(command, withExamining);
}

function withExamining(command: Command): Command {
  return withConfig(command)
    .option('--nodes <number>', 'number of nodes that share the database (default: the connected ones)')
    .option(
      '--thorough',
      'allow each check ten minutes instead of ten seconds, and read large databases completely',
      false,
    );
}

async function check(options: CheckOptions): Promise<void> {
  const { subjects } = await examine(options);
  const found: Diagnosis[] = [];
  const isColoured = process.stdout.isTTY === true && !process.env.NO_COLOR;
  for await (const subject of subjects) {
    found.push(subject);
    if (options.format === 'text') process.stdout.write(`${subjectText(subject, isColoured)}\n`);
  }
  const status = worst(found.map((subject) => subject.status));
  if (options.format === 'json')
    process.stdout.write(`${JSON.stringify({ version, status, subjects: found }, null, 2)}\n`);
  else process.stdout.write(`${SUMMARY[status]}\n`);
  endSoon();
  if (status === 'failure') throw silentFailure(EXIT.failed);
  if (status === 'warning') throw silentFailure(EXIT.attention);
}

const SUMMARY: Readonly<Record<Status, string>> = {
  success: 'No problems found.',
  skipped: 'No checks ran.',
  warning: 'The server works. See the warnings.',
  failure: 'Problems found. See the failed checks.',
};
