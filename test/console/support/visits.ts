import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { barriers, bench, describeConsole, type PageGroup, settled } from './console.ts';
import { WITH_PROVIDERS } from './vcs.ts';

const PAGES = join(import.meta.dirname, '../pages');

/**
 * Visits each page of one API in both themes and two widths. No page has accessibility violations, logs browser errors or
 * scrolls sideways.
 * @param half folder below `pages` with a file for each family of pages
 */
export async function visitPages(half: string): Promise<void> {
  const groups = await Promise.all(
    globSync('*.ts', { cwd: join(PAGES, half) })
      .toSorted()
      .map(
        async (file) =>
          ((await import(/* @vite-ignore */ join(PAGES, half, file))) as { readonly default: PageGroup }).default,
      ),
  );
  describeConsole(`every page of the console, without barriers: ${half}`, () => {
    const on = bench(undefined, WITH_PROVIDERS, true);
    // The timeout covers several checks of each page, while other builds run on the same machine.
    it.each(groups)('$name', { timeout: 300_000 }, async ({ prepare }) => {
      const places = await prepare(on());
      const page = await on().openBoth('/~organizations', { reducedMotion: 'reduce' });
      for (const place of places) await visit(page, place);
    });
  });
}

async function visit(page: Page, place: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/app${place}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
  await laidOut(page, 1440);
  expect([place, await barriers(page)]).toEqual([place, []]);
  await page.emulateMedia({ colorScheme: 'dark' });
  // Only the colors differ in the dark theme.
  expect([place, 'dark', await barriers(page, 'colors')]).toEqual([place, 'dark', []]);
  await laidOut(page, 320);
  expect([place, 'narrow', await barriers(page, 'shapes')]).toEqual([place, 'narrow', []]);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect([place, overflow]).toEqual([place, 0]);
}

/** Moves the footer to the end of the page: a row half behind a fixed footer would count as too small a target. */
export async function laidOut(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(`document.querySelectorAll('footer').forEach(({ style }) => { style.position = 'static'; })`);
  await settled(page);
  // Effects of the size, such as scrolling areas, are known only after the next frame.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );
}
