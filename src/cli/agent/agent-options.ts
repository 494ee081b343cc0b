/** Options of `lockkeeper agent`: the settings with `-` instead of `_`, and options of its start. */
export interface AgentCommandOptions {
  readonly config?: string;
  readonly job?: string;
  readonly jobTokenFile?: string;
  readonly embedded?: true;
  readonly [setting: string]: string | true | undefined;
}
