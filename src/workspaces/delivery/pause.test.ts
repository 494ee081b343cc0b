import { expect, test } from 'vitest';
import { pauseAfter } from './pause.ts';

test('pauses grow up to an hour, and half of each is random', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 1000].map((failures) => pauseAfter(failures, 1) / 1000);
  expect(longest).toEqual([15, 45, 135, 405, 1215, 3600, 3600, 3600]);
  expect(pauseAfter(2, 0) / 1000).toBe(22.5);
});
