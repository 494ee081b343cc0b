import { AppError } from '../../lib/errors.ts';

/**
 * Parses `include` to words with underscores: clients write both `current-state-version` and `current_run`. A path
 * also includes the resources along it (JSON:API 1.1 §6.3). An unknown word gets 400 with a text that contains "include
 * parameter": official clients then repeat the request without it.
 */
export function parseInclude<Name extends string>(text: string | undefined, known: readonly Name[]): ReadonlySet<Name> {
  const names = (text ?? '').split(',').map((name) => name.trim().replaceAll('-', '_'));
  const included = new Set<Name>();
  for (const name of names) {
    if (name === '') continue;
    const found = known.find((candidate) => candidate === name);
    if (found === undefined) throw unknownInclude(name, known);
    for (const step of known) {
      if (step === found || found.startsWith(`${step}.`)) included.add(step);
    }
  }
  return included;
}

function unknownInclude(name: string, known: readonly string[]): AppError {
  const detail = `The include parameter has the unknown value "${name}". Valid values: ${known.join(', ')}`;
  return new AppError('bad-request', detail, {
    title: 'Invalid include parameter',
    issues: [{ detail, parameter: 'include' }],
  });
}
