/** Name and rhythm of a background task, declared beside the code that it runs. */
export interface TaskDefinition {
  /** Unique name in kebab case, such as `crl-refresh`. Public: metrics and health show it. */
  readonly name: string;
  /** One sentence that starts with a verb, such as `Fetches CRLs before they expire.` */
  readonly description: string;
  /** Whether only the leader of the cluster runs it, or every process. */
  readonly runsOn: 'leader' | 'every process';
  /** Longest regular pause between two runs, milliseconds. */
  readonly period: number;
}
