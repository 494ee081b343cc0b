/** The dashboard as Grafana imports it (https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/). */
import { type Panel, ROWS } from './panels.ts';

// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it in
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
/** Of Grafana 10.4 and newer, which bring older ones up to date themselves. */
const SCHEMA_VERSION = 39;
const COLUMNS = 24;
const HEIGHTS = { stat: 4, table: 5, timeseries: 8 } as const;

export function dashboard(): object {
  return {
    uid: 'lockkeeper',
    title: 'Lockkeeper',
    description: 'Made by node docs/generate-monitoring.ts. What to look at first: docs/operations/monitoring.md',
    tags: ['lockkeeper'],
    schemaVersion: SCHEMA_VERSION,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: '',
    annotations: { list: [] },
    links: [],
    templating: { list: VARIABLES },
    panels: panels(),
  };
}

const chosen = (name: string, label: string, query: string, more: object) => ({
  ...{ name, label, type: 'query', datasource: DATASOURCE, refresh: 2, sort: 1, hide: 0 },
  ...{ query: { query, refId: name }, definition: query, ...more },
});

const VARIABLES = [
  {
    name: 'datasource',
    label: 'Prometheus',
    type: 'datasource',
    query: 'prometheus',
    refresh: 1,
    hide: 0,
    current: {},
  },
  chosen('job', 'Job', 'label_values(lockkeeper_build_info, job)', {
    current: { text: 'lockkeeper', value: 'lockkeeper' },
  }),
  chosen('instance', 'Node', 'label_values(lockkeeper_build_info{job="$job"}, instance)', {
    ...{ multi: true, includeAll: true, allValue: '.*', current: { text: 'All', value: '$__all' } },
  }),
];

/** From left to right, then the next line; each row of the table begins one of its own. */
function panels(): object[] {
  let [id, y] = [0, 0];
  return ROWS.flatMap(({ title, panels: those }) => {
    const row = {
      ...{ id: ++id, type: 'row', title, collapsed: false, panels: [] },
      gridPos: { h: 1, w: COLUMNS, x: 0, y },
    };
    y += 1;
    let [x, lineHeight] = [0, 0];
    const placed = those.map((panel) => {
      const { width } = panel;
      const height = HEIGHTS[panel.type];
      if (x + width > COLUMNS) [x, y, lineHeight] = [0, y + lineHeight, 0];
      const gridPos = { h: height, w: width, x, y };
      x += width;
      lineHeight = Math.max(lineHeight, height);
      return { id: ++id, gridPos, ...shown(panel) };
    });
    y += lineHeight;
    return [row, ...placed];
  });
}

function shown({ title, about, type, unit, queries, stacked }: Panel): object {
  const isTable = type === 'table';
  return {
    ...{ title, type, description: about, datasource: DATASOURCE },
    targets: queries.map(({ expr, legend }, index) => ({
      ...{ refId: String.fromCharCode(65 + index), datasource: DATASOURCE, expr, legendFormat: legend },
      ...(isTable && { instant: true, format: 'table' }),
    })),
    fieldConfig: {
      defaults: { unit, ...(type === 'timeseries' && { min: 0, custom: drawn(stacked) }) },
      overrides: [],
    },
    options: OPTIONS[type],
  };
}

const drawn = (stacked = false) => ({
  ...{ drawStyle: 'line', lineWidth: 1, fillOpacity: stacked ? 30 : 5, showPoints: 'never', spanNulls: false },
  stacking: { mode: stacked ? 'normal' : 'none', group: 'A' },
});

const OPTIONS = {
  timeseries: {
    legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  stat: { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false }, colorMode: 'none', graphMode: 'area' },
  table: { showHeader: true },
} as const;
