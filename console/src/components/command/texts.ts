/** Texts of the command component. */
export const copy = (what: string) => `Copy ${what}`;
export const copied = 'Copied';
export const copy2 = 'Copy';
