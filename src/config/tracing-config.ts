import Type, { type Static } from 'typebox';
import { ConfigError } from './config-error.ts';
import { type SecretConfig, tokenFields, toSecret } from './secret-config.ts';
import { optional, path, setting } from './setting.ts';

/** Where traces go. */
export interface TracingConfig {
  readonly endpoint: string;
  /** 0 to 1. */
  readonly sampleRatio: number;
  readonly tokenHeader: string;
  readonly token?: SecretConfig;
  readonly authoritiesFile?: string;
}

/** `tracing` */
export const tracing = Type.Object(
  {
    otlp_endpoint: setting(
      Type.String({ pattern: '^https?://[^\\s?#@]+$', maxLength: 2048 }),
      'http://HOST:4318 or https://HOST; /v1/traces is added',
      'A collector of OpenTelemetry that takes OTLP over HTTP. Without it nothing is traced.',
    ),
    sample_ratio: optional(
      Type.Number({ minimum: 0, maximum: 1, default: 1 }),
      '0 to 1',
      'Which part of the traces that begin here is recorded; of those that begin elsewhere, what began them says so.',
    ),
    ...tokenFields('Read at the start.'),
    authorities_file: Type.Optional(
      path('PEM of who vouches for the collector, in place of those of the system. Read at the start.'),
    ),
  },
  { additionalProperties: false },
);

/** @throws ConfigError */
export function toTracing(tree: Static<typeof tracing>, at: (path: string) => string): TracingConfig {
  const { otlp_endpoint: endpoint, token: text, token_file: file, authorities_file: authorities } = tree;
  if (!URL.canParse(endpoint))
    throw new ConfigError('tracing.otlp_endpoint: found no address; allowed: http://HOST:4318 or https://HOST');
  const token = toSecret('tracing.token', text, file, at);
  return {
    endpoint,
    sampleRatio: tree.sample_ratio ?? 1,
    tokenHeader: tree.token_header ?? 'Authorization',
    ...(token && { token }),
    ...(authorities !== undefined && { authoritiesFile: at(authorities) }),
  };
}
