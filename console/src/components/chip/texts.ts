/** Texts of the chip component. */
export const removeFilter = (name: string) => `Remove filter: ${name}`;
