/** Texts of relative times. */
export const within = (duration: string) => `in ${duration}`;
