/** Invalid configuration. The message is for the operator and has one line for each key. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
