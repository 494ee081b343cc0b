import { kept } from '../session/kept.ts';

/** A notice that the user has dismissed in this browser. Without storage it appears again. */
const notice = (what: string) => kept(`dismissed ${what}`);

export const isDismissed = (what: string): boolean => notice(what).read() !== null;

export const dismiss = (what: string, isSo: boolean): void => notice(what).keep(isSo ? 'yes' : null);
