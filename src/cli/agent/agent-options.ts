/** Of `lockkeeper agent`: the names of settings, with `-` in place of `_`, and how it is started. */
export interface AgentCommandOptions {
  readonly config?: string;
  readonly job?: string;
  readonly jobTokenFile?: string;
  readonly embedded?: true;
  readonly [setting: string]: string | true | undefined;
}
