/** Texts of the lock component. */
export const texts = {
  unknownHolder: 'unknown holder',
  team: (own: string, name: string) => `${own} (team ${name})`,
  team2: (name: string) => `team ${name}`,
};
