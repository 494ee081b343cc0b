/** As OTLP numbers them. */
export const KIND = { internal: 1, server: 2, client: 3, consumer: 5 } as const;

export type AttributeValue = string | number | boolean;

/** Something that took time, and is over. Nothing in it is secret: names, ids, numbers and patterns of paths. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: (typeof KIND)[keyof typeof KIND];
  /** Milliseconds since 1970, with fractions. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, AttributeValue | undefined>>;
  readonly isError: boolean;
  readonly events?: readonly { readonly name: string; readonly time: number }[];
  /** Whose it is: this server's, or an agent's. */
  readonly by?: 'agent';
}
