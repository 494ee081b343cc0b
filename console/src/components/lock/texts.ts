/** Texts of the lock component. */
export const unknownHolder = 'unknown holder';
export const team = (own: string, name: string) => `${own} (team ${name})`;
export const team2 = (name: string) => `team ${name}`;
