import type { ReportState } from '../port.ts';

/** The differences between the APIs of GitHub and of Gitea, which copies it. */
export interface Dialect {
  /** Returns the base URL of the API from that of a connection. */
  apiBase(apiUrl: string): string;
  readonly headers: Readonly<Record<string, string>>;
  /** Events of the hook of a repository, and members of its creation and of its configuration. */
  readonly hook: {
    readonly events: readonly string[];
    readonly extra: Readonly<Record<string, string>>;
    readonly config: Readonly<Record<string, string>>;
    /** Whether an update of a hook ignores a new secret, so that the hook must be replaced. */
    readonly keepsSecret: boolean;
  };
  /** Headers of a delivery. */
  readonly delivery: {
    readonly event: string;
    readonly id: string;
    readonly signature: string;
    readonly prefix: string;
  };
  /** Scope that the server asks for in a sign-in. */
  readonly scope: string;
  /** Name of the query parameter for the items of a page. */
  readonly pageSize: 'per_page' | 'limit';
  /** Order of pull requests: those with the newest changes first. */
  readonly newestFirst: Readonly<Record<string, string>>;
  readonly states: Readonly<Record<ReportState, string>>;
  readonly limits: { readonly comment: number; readonly description: number };
}
