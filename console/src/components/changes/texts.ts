/** Texts of the changes component. */
export const noChanges = 'no changes';
