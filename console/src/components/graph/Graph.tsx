import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { Button } from '../button/Button.tsx';
import { Icon } from '../icon/Icon.tsx';
import { ICONS, type IconName } from '../icon/icons.tsx';
import styles from './graph.module.css';
import { type Change, type GraphNode, neededBy } from './graph.ts';
import type { Layout } from './layout.ts';
import * as texts from './texts.ts';
import { useLayout } from './use-layout.ts';
import { useZoom } from './use-zoom.ts';

interface GraphProps {
  /** Accessible name of the graph. */
  readonly label: string;
  /**
   * Nodes without transitive edges. The array must be stable as long as nothing changes, because a new one starts a new
   * layout.
   */
  readonly nodes: readonly GraphNode[];
  /** Name of the group for nodes without one. */
  readonly rest: string;
}

const SIGNS: Readonly<Record<Change, IconName>> = { added: 'plus', changed: 'change', removed: 'minus' };
/** Maximum number of characters in a box. */
const ROOM = 28;
/** Margin around the drawing, pixels. */
const EDGE = 8;

/** Dependency graph with dependencies on the left, and the same data as a table for screen readers. */
export function Graph({ label, nodes, rest }: GraphProps) {
  const laid = useLayout(nodes);
  const [at, setAt] = useState<string | undefined>();
  const by = useMemo(() => neededBy(nodes), [nodes]);
  const node = nodes.find(({ id }) => id === at);
  return (
    <figure className={styles.figure}>
      {laid?.fault && <p role="alert">{texts.theGraphCouldNot(laid.fault)}</p>}
      {!laid && <p className="soft">{texts.drawingTheGraph}</p>}
      {laid?.layout && (
        <Drawn label={label} nodes={nodes} by={by} rest={rest} at={at} onAt={setAt} layout={laid.layout} />
      )}
      <p className={styles.about} role="status">
        {node ? (
          <>
            <code>{node.id}</code>
            {node.change && ` ${node.change}.`} <span className="soft">{texts.dependsOn}</span>{' '}
            <Names of={node.needs} />
            <span className="soft">{texts.usedBy}</span> <Names of={by.get(node.id) ?? []} />.
          </>
        ) : (
          <span className="soft">{texts.graphHint}</span>
        )}
      </p>
      <NodeTable label={label} nodes={nodes} />
    </figure>
  );
}

/** Maximum number of names in the description. */
const NAMED = 6;

function Names({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return texts.nothing;
  const more = of.length - NAMED;
  return (
    <>
      <code>{of.slice(0, NAMED).join(', ')}</code>
      {more > 0 && texts.andMore(more)}
    </>
  );
}

interface DrawnProps extends GraphProps {
  readonly layout: Layout;
  readonly by: ReadonlyMap<string, readonly string[]>;
  readonly at: string | undefined;
  readonly onAt: (id: string | undefined) => void;
}

function Drawn({ label, nodes, rest, layout, by, at, onAt }: DrawnProps) {
  const prefix = useId();
  const svg = useRef<SVGSVGElement>(null);
  const width = layout.width + 2 * EDGE;
  const height = layout.height + 2 * EDGE;
  const zoom = useZoom(width);
  const byId = useMemo(() => new Map(nodes.map((node, index) => [node.id, { node, index }])), [nodes]);
  const onKey = (event: KeyboardEvent) => {
    const next = neighbour(event.key, at, byId.get(at ?? '')?.node, by, layout);
    if (next === undefined) return;
    event.preventDefault();
    onAt(next);
    const index = byId.get(next)?.index;
    svg.current?.querySelector(`[id="${prefix}${index}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  const isTied = (line: { from: string; to: string }) => line.from === at || line.to === at;
  // The frame scrolls, and the arrow keys move the selection.
  const frame = { tabIndex: 0, 'aria-label': texts.theTableBelowShows(label) };
  return (
    <>
      <div className={styles.zoom}>
        <Button
          look={['small', 'square']}
          aria-label={texts.zoomOut}
          off={zoom.less ? false : texts.smallest}
          onClick={zoom.less}
        >
          <Icon name="minus" />
        </Button>
        <Button
          look={['small', 'square']}
          aria-label={texts.zoomIn}
          off={zoom.more ? false : texts.largest}
          onClick={zoom.more}
        >
          <Icon name="plus" />
        </Button>
        <Button look="small" aria-pressed={zoom.isFit} onClick={zoom.fit}>
          {texts.fit}
        </Button>
        <span className="soft">{percent(zoom.scale)}</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div ref={zoom.frame} role="group" className={styles.frame} onKeyDown={onKey} {...frame}>
        <svg
          ref={svg}
          viewBox={`0 0 ${width} ${height}`}
          width={width * zoom.scale}
          height={height * zoom.scale}
          aria-hidden="true"
        >
          <g transform={`translate(${EDGE} ${EDGE})`}>
            {layout.groups.map(({ id, x, y, width, height }) => (
              <g key={id} className={styles.group}>
                <rect x={x} y={y} width={width} height={height} rx="8" />
                <text x={x + 12} y={y + 19}>
                  {clipped(id || rest, width / 8)}
                </text>
              </g>
            ))}
            {layout.lines.map((line) => (
              <path
                key={`${line.from} ${line.to}`}
                className={`${styles.line} ${isTied(line) ? styles.tied : ''}`}
                d={curve(line.points)}
              />
            ))}
            {layout.nodes.map(({ id, x, y, width, height }) => {
              const found = byId.get(id);
              if (!found) return null;
              const { change } = found.node;
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: the frame handles the keyboard
                <g
                  key={id}
                  id={`${prefix}${found.index}`}
                  className={`${styles.node} ${change ? styles[change] : ''} ${id === at ? styles.at : ''}`}
                  transform={`translate(${x} ${y})`}
                  onClick={() => onAt(id === at ? undefined : id)}
                >
                  <title>{change ? `${id}, ${change}` : id}</title>
                  <rect width={width} height={height} rx="4" />
                  <text x={change ? 26 : 8} y="18">
                    {clipped(found.node.label, change ? ROOM - 3 : ROOM)}
                  </text>
                  {change && (
                    <g className={styles.sign} transform="translate(6 6)">
                      {ICONS[SIGNS[change]]}
                    </g>
                  )}
                </g>
              );
            })}
          </g>
        </svg>
      </div>
    </>
  );
}

const percent = (scale: number): string => `${Math.round(scale * 100)}%`;

/** Returns the next node: left and right follow edges, up and down move within the column. */
function neighbour(
  key: string,
  at: string | undefined,
  node: GraphNode | undefined,
  by: ReadonlyMap<string, readonly string[]>,
  { nodes }: Layout,
): string | undefined {
  if (!/^Arrow|^Home$/.test(key)) return undefined;
  if (at === undefined || !node || key === 'Home') return nodes[0]?.id;
  if (key === 'ArrowLeft') return node.needs[0];
  if (key === 'ArrowRight') return by.get(at)?.[0];
  const box = nodes.find(({ id }) => id === at);
  if (!box) return undefined;
  const column = nodes.filter(({ x }) => Math.abs(x - box.x) < box.width / 2).toSorted((one, other) => one.y - other.y);
  return column[column.findIndex(({ id }) => id === at) + (key === 'ArrowDown' ? 1 : -1)]?.id;
}

function curve([[x = 0, y = 0] = [0, 0], [toX = 0, toY = 0] = [0, 0]]: Layout['lines'][number]['points']): string {
  // An edge that leads backwards stays close to its boxes.
  const bend = toX < x ? 40 : Math.max(20, (toX - x) / 2);
  return `M${x} ${y}C${x + bend} ${y} ${toX - bend} ${toY} ${toX} ${toY}`;
}

function clipped(text: string, room: number): string {
  return text.length > room ? `${text.slice(0, Math.floor(room) - 1)}…` : text;
}

/** All nodes as a table. Collapsed, and rendered only when opened. */
function NodeTable({ label, nodes }: { readonly label: string; readonly nodes: readonly GraphNode[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.words} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.showAsTable}</summary>
      {isOpen && (
        <table>
          <caption className="sr">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.name}</th>
              <th scope="col">{texts.change}</th>
              <th scope="col">{texts.dependsOn}</th>
            </tr>
          </thead>
          <tbody>
            {nodes.map(({ id, change, needs }) => (
              <tr key={id}>
                <th scope="row">
                  <code>{id}</code>
                </th>
                <td>
                  {change && (
                    <>
                      <Icon name={SIGNS[change]} /> {change}
                    </>
                  )}
                </td>
                <td>
                  <code>{needs.join(', ')}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}
