/** The parameters of every path by name, all of things that exist. */
export type Values = Readonly<Record<string, string>>;

/** How a route is asked, and what it answers. */
export interface Expectation {
  readonly owner: number;
  /** Of what the owner gets. Default: JSON:API. */
  readonly contentType?: string;
  /** Somebody with a valid token who belongs nowhere. Default: 404. */
  readonly stranger?: number;
  /** An agent of a pool that serves no workspace. Default: what a stranger gets. */
  readonly agent?: number;
  readonly body?: object | ((values: Values) => object);
  /** With parameters, as in a path. */
  readonly query?: string;
  /** What a parameter of the path stands for, where several routes call different things by one name. */
  readonly as?: Readonly<Record<string, string>>;
}
