/** Parameters of every path by name. The values belong to existing resources. */
export type Values = Readonly<Record<string, string>>;

/** Request of a route, and its expected responses. */
export interface Expectation {
  readonly owner: number;
  /** Content type of the owner's response. Default: JSON:API. */
  readonly contentType?: string;
  /** Status for a user without any organization. Default: 404. */
  readonly stranger?: number;
  /** Status for an agent of a pool without workspaces. Default: the stranger's status. */
  readonly agent?: number;
  readonly body?: object | ((values: Values) => object);
  /** Path with parameters filled in. */
  readonly query?: string;
  /** Value for a path parameter whose name means different things in several routes. */
  readonly as?: Readonly<Record<string, string>>;
}
