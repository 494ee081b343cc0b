/** One attribute of a body (spec §4.1): its default, valid and invalid values. */
export interface Row {
  readonly name: string;
  readonly standard: unknown;
  readonly accepted: readonly unknown[];
  readonly refused: readonly unknown[];
}

const flag = (name: string, standard: boolean): Row => ({
  name,
  standard,
  accepted: [true, false],
  refused: ['true', '', 0, 1, [], {}],
});

const text = (name: string, max: number, ...accepted: string[]): Row => ({
  name,
  standard: null,
  accepted: [...accepted, '', 'x'.repeat(max)],
  refused: [7, true, [], ['x'], {}, 'nul\u0000', 'x'.repeat(max + 1)],
});

/** A folder in an archive: no name in it has more than 255 bytes. */
const folder = (name: string, max: number, ...accepted: string[]): Row => {
  const { refused, ...row } = text(name, max);
  const deep = 'x/'.repeat(max / 2);
  return { ...row, accepted: [...accepted, '', deep], refused: [...refused, `${deep}x`, 'x'.repeat(256), '../x'] };
};

const paths = (name: string): Row => ({
  name,
  standard: [],
  accepted: [[], ['/modules', '**/*.tf', ''], ['/modules', '/modules'], Array(200).fill('x')],
  refused: ['/modules', {}, 7, true, [7], [null], [['x']], ['nul\u0000'], ['x'.repeat(1025)], Array(201).fill('x')],
});

/** Attributes that do not depend on others. The others have their own tests. */
export const ROWS: readonly Row[] = [
  flag('allow-destroy-plan', true),
  flag('assessments-enabled', false),
  flag('auto-apply', false),
  flag('auto-apply-run-trigger', false),
  {
    name: 'auto-destroy-at',
    standard: null,
    accepted: ['2030-01-31T23:59:59.123Z', '2020-02-29T00:00:00.000Z'],
    refused: ['', 'soon', '2030-01-31', '2030-01-31T10:00:00', '2030-13-01T00:00:00Z', 1893456000000, true, {}],
  },
  {
    name: 'auto-destroy-activity-duration',
    standard: null,
    accepted: ['1h', '1d', '9999h', '9999d', '0001d', '14d'],
    refused: [
      '',
      '0h',
      '0d',
      '0000d',
      '10000h',
      '1',
      'h',
      '1m',
      '1w',
      '1H',
      '1dd',
      '-1d',
      '+1d',
      '1.5d',
      '1 d',
      14,
      {},
    ],
  },
  text('description', 4096, 'Ünïcode 🚢\nin two lines'),
  flag('file-triggers-enabled', true),
  flag('global-remote-state', false),
  flag('queue-all-runs', false),
  text('source-name', 1024, 'pipeline'),
  {
    name: 'source-url',
    standard: null,
    accepted: ['https://example.com/a?b=c#d', 'http://localhost:8080', ''],
    refused: ['example.com', 'ftp://example.com', 'javascript:alert(1)', 'https://', 7, [], {}],
  },
  flag('speculative-enabled', true),
  {
    name: 'engine-version',
    standard: 'latest',
    accepted: ['latest', '1.5.7', '~> 1.0.0', '>= 1.2, < 2.0', '1.6.0-beta1', '99.1.0'],
    refused: ['', 'newest', '1.x', 'v1.5.7', '~> 99.0', '> 1.5, < 1.2', '1.5.7 || 1.6.0', 1.5, [], {}, '1.5.7,'],
  },
  paths('trigger-patterns'),
  paths('trigger-prefixes'),
  folder('working-directory', 1024, 'environments/prod'),
];
