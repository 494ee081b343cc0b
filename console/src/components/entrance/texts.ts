/** Texts of pages without a frame. */
export const lockkeeper = 'Lockkeeper';
