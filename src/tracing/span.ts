/** Span kinds as OTLP numbers them. */
export const KIND = { internal: 1, server: 2, client: 3, consumer: 5 } as const;

export type AttributeValue = string | number | boolean;

/** A finished operation. It contains no secret: only names, IDs, numbers and route patterns. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: (typeof KIND)[keyof typeof KIND];
  /** Start of the span, milliseconds since 1970, with fractions. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, AttributeValue | undefined>>;
  readonly isError: boolean;
  readonly events?: readonly { readonly name: string; readonly time: number }[];
  /** Set for spans of an agent; absent for those of this server. */
  readonly by?: 'agent';
}
