import { buildConsole } from '../../../build/console-build.ts';

/** Builds the console once, so that the tests run the current sources. */
export default function setup(): Promise<void> {
  return buildConsole();
}
