import type { Readable } from 'node:stream';
import { DEFAULT_BOUNDS, type JobBounds } from '../../lib/job/bounds.ts';
import type { NetworkPlan } from './network/plan.ts';

/** The folders of a job: on this machine, or as its engine sees them. */
export interface JobFolders {
  /** The configuration, unpacked. */
  readonly work: string;
  /** The plan. */
  readonly plan: string;
  /** The state, and nothing else. The folder has the name of the workspace. */
  readonly state: string;
  /** `HOME`. */
  readonly home: string;
  /** What we tell the engine in files: it cannot write there. */
  readonly told: string;
}

/** Something to run. Its paths are those that it sees. */
export interface Command {
  /** The program on this machine; it has another path where it runs. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Folders of this machine that it can read, where they are. */
  readonly readable: readonly string[];
  /** The URL of the server that it may ask, wherever that is; null for none. */
  readonly server: string | null;
  /** All of its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it prints as errors goes where everything goes, in order. */
  readonly isMerged: boolean;
}

/** How a command ended: with a code, or by a signal. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A command that runs. Both streams have to be read. */
export interface Running {
  /** Leads the group of processes that ends with it. Undefined where nothing could be started. */
  readonly pid: number | undefined;
  readonly output: Readable;
  /** Without the errors that go to the output. */
  readonly errors: Readable;
  /** Its streams are at their end then, and nothing that it started runs any more. */
  readonly ended: Promise<Ended>;
  /** As Ctrl-C does, to all that it started. A second time an engine leaves without writing its state: to be called once. */
  interrupt(): void;
  /** At once, all that it started. */
  kill(): void;
}

/** Bounds of commands, and the control group that enforces them on this machine. */
export interface BoundsHere {
  readonly bounds: JobBounds;
  /** Control group that is delegated to the agent; null: the agent polls the usage of commands. */
  readonly group: string | null;
}

/** Default bounds, without a control group. */
export const DEFAULT_BOUNDS_HERE: BoundsHere = { bounds: DEFAULT_BOUNDS, group: null };

/** Settings of an isolation as JSON, so that another process of the agent can create it without probing again. */
export type IsolationSettings =
  | ({ readonly name: 'none' } & BoundsHere)
  | ({
      readonly name: 'bubblewrap';
      readonly program: string;
      /** Null for the network of the machine. */
      readonly network: NetworkPlan | null;
    } & BoundsHere);

/** How engines are kept from the machine that they run on. */
export interface Isolation {
  readonly name: IsolationSettings['name'];
  readonly settings: IsolationSettings;
  /**
   * Where a job of this run has its folders, as it sees them: the same for the plan and the apply, whatever machine carries them out.
   * @param here the same on this machine
   */
  engineFolders(here: JobFolders): JobFolders;
  /** @throws JobFailure when it cannot be started */
  start(command: Command, here: JobFolders): Running;
}
