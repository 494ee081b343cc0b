/** The parameters of every path by name, all of things that exist. */
export type Values = Readonly<Record<string, string>>;

/** How a route is asked, and what it answers. */
export interface Expectation {
  readonly owner: number;
  /** Content type of the owner's response. Default: JSON:API. */
  readonly contentType?: string;
  /** Somebody with a valid token who belongs nowhere. Default: 404. */
  readonly stranger?: number;
  /** An agent of a pool that serves no workspace. Default: what a stranger gets. */
  readonly agent?: number;
  readonly body?: object | ((values: Values) => object);
  /** With parameters, as in a path. */
  readonly query?: string;
  /** Value for a path parameter whose name means different things in several routes. */
  readonly as?: Readonly<Record<string, string>>;
}
