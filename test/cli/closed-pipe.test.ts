import { expect, test } from 'vitest';
import { Command } from '../support/command.ts';

test.each([[['--help']], [['--version']], [['completion', 'bash']]])('a closed pipe is no error: %j', async (args) => {
  const command = new Command(args);
  command.process.stdout?.destroy();
  const { code, stderr } = await command.ended();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
