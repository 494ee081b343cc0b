import * as texts from './texts.ts';

/** Labels of the permissions, in the order of display. */
const WORDS: readonly (readonly [permission: string, words: string])[] = [
  ['can-read-settings', texts.readSettings],
  ['can-read-run', texts.readRuns],
  ['can-read-variable', texts.readVariables],
  ['can-read-state-versions', texts.readStates],
  ['can-queue-run', texts.startRuns],
  ['can-queue-apply', texts.confirmRuns],
  ['can-create-state-versions', texts.writeStates],
  ['can-update-variable', texts.changeVariables],
  ['can-lock', texts.lockAndUnlock],
  ['can-force-unlock', texts.forceUnlock3],
  ['can-update', texts.changeSettings],
  ['can-destroy', texts.deleteText],
];

/** Returns which permissions the user has, and which not, in words. */
export function permissionsInWords(permissions: Readonly<Record<string, boolean>>): { may: string; mayNot: string } {
  const words = (given: boolean) =>
    WORDS.filter(([name]) => (permissions[name] ?? false) === given)
      .map(([, text]) => text)
      .join(', ');
  return { may: words(true), mayNot: words(false) };
}
