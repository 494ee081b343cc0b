import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Opens a URL in the browser of this machine, and returns whether there is one. `BROWSER` names another program; an
 * empty one means no browser.
 */
export async function openBrowser(url: string): Promise<boolean> {
  const [program, ...args] = commandFor(process.platform, process.env) ?? [];
  if (program === undefined) return false;
  const opened = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  return new Promise((resolve) => {
    opened.once('error', () => resolve(false));
    opened.once('spawn', () => {
      opened.unref();
      resolve(true);
    });
  });
}

function commandFor(platform: string, environment: NodeJS.ProcessEnv): readonly string[] | undefined {
  const { BROWSER: chosen, DISPLAY: display, WAYLAND_DISPLAY: wayland, PATH: path = '' } = environment;
  if (chosen !== undefined) return chosen === '' ? undefined : [chosen];
  if (platform === 'darwin') return ['open'];
  // `start` would take the first quoted argument as a title, and interpret & in a URL.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  // Without a screen, such as over SSH, a browser could not be seen.
  if (!display && !wayland) return undefined;
  return path.split(delimiter).some((folder) => isExecutable(join(folder, 'xdg-open'))) ? ['xdg-open'] : undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
