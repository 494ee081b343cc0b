/** Texts of the secret component. */
export const newText = (what: string) => `New ${what}`;
export const newText2 = (what: string) => `New ${what}.`;
export const copyItNowIt = 'Copy it now: it is shown only once.';
export const copied = 'Copied';
export const copy = 'Copy';
export const done = 'Done';
