export const AT = '/organizations/{organization_name}/sign-in-provider';

/** A group, and the team whose members it gives. */
interface Rule {
  readonly group: string;
  readonly team: string;
}

/** A line for each: `group = team`. */
export const rulesText = (rules: readonly Rule[]): string =>
  rules.map(({ group, team }) => `${group} = ${team}`).join('\n');

/** @returns undefined for a line that is no rule */
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

/** First of all: could people sign in. */
export function checkSays({
  status,
  verdicts,
}: {
  readonly status: string;
  readonly verdicts: readonly { readonly check: string; readonly status: string }[];
}): string {
  const names = verdicts.filter((one) => one.status === status).map(({ check }) => check);
  if (status === 'failure') return `Nobody can sign in with it: ${names.join(', ')}`;
  return status === 'warning' ? `People may not get in: ${names.join(', ')}` : 'It is ready for people to try';
}
