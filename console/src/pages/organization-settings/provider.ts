import * as texts from './texts.ts';

export const AT = '/organizations/{organization_name}/sign-in-provider';

/** Maps a group of the provider to a team. */
interface Rule {
  readonly group: string;
  readonly team: string;
}

/** Writes one rule on each line: `group = team`. */
export const rulesText = (rules: readonly Rule[]): string =>
  rules.map(({ group, team }) => `${group} = ${team}`).join('\n');

/** @returns undefined if a line is not a rule */
export function readRules(text: string): readonly Rule[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const rules = lines.map((line) =>
    /^(.+)=([^=]+)$/
      .exec(line)
      ?.slice(1)
      .map((part) => part.trim()),
  );
  if (!rules.every((rule) => rule?.every((part) => part !== ''))) return undefined;
  return rules.map((rule) => ({ group: rule?.[0] ?? '', team: rule?.[1] ?? '' }));
}

/** Summarizes whether users can sign in. */
export function checkSays({
  status,
  verdicts,
}: {
  readonly status: string;
  readonly verdicts: readonly { readonly check: string; readonly status: string }[];
}): string {
  const names = verdicts.filter((one) => one.status === status).map(({ check }) => check);
  if (status === 'failure') return texts.signInFails(names.join(', '));
  return status === 'warning' ? texts.signInMayFail(names.join(', ')) : texts.theProviderIsReady;
}
