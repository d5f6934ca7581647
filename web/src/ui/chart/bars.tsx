import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { axisTime } from '../../format/times.ts';

interface BarsProps {
  /** Unix seconds, ascending: where each bar starts. */
  readonly times: readonly number[];
  readonly counts: readonly number[];
  /** Length of an interval, seconds. */
  readonly stepSeconds: number;
  /** Custom property with the colour. */
  readonly colour: string;
  readonly heightPx: number;
  /** Text alternative of the picture. */
  readonly label: string;
  /** Charts with the same name share their cursor. */
  readonly syncName: string;
  readonly hasTimeAxis: boolean;
  /** Index of the bar under the pointer; null for none. */
  readonly onHover?: (index: number | null) => void;
  /** Called when a bar is chosen, or several by dragging: Unix seconds, the end exclusive. */
  readonly onChoose?: (from: number, to: number) => void;
}

const AXIS_PX = 24;
/** Half of a label at the edge of the picture. */
const LABEL_PX = 8;
/** Room for a label on the time axis. */
const AXIS_LABEL_PX = 64;
const COUNT_AXIS_PX = 48;
/** A shorter drag is a click with a moving pointer. */
const MIN_DRAG_PX = 4;

interface Colours {
  readonly bar: string;
  readonly text: string;
  readonly line: string;
}

/** A canvas cannot use custom properties: this reads them as colours of the element. */
function coloursOf(host: HTMLElement): Colours {
  const { color, caretColor, columnRuleColor } = getComputedStyle(host);
  return { bar: color, text: caretColor, line: columnRuleColor };
}

const pathOfBars = uPlot.paths.bars!({ size: [0.8, 60], align: 1 });

function optionsOf(host: HTMLElement, props: () => BarsProps): uPlot.Options {
  const { heightPx, hasTimeAxis, syncName } = props();
  const { bar, text, line } = coloursOf(host);
  const axis = { stroke: text, font: '12px system-ui, sans-serif', ticks: { show: false } };
  return {
    width: Math.max(host.clientWidth, 1),
    height: heightPx + LABEL_PX + (hasTimeAxis ? AXIS_PX : LABEL_PX),
    padding: [LABEL_PX, LABEL_PX, hasTimeAxis ? 0 : LABEL_PX, 0],
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    cursor: { y: false, points: { show: false }, drag: { setScale: false }, sync: { key: syncName } },
    scales: {
      x: {
        range: () => {
          const { times, stepSeconds } = props();
          return [times[0] ?? 0, (times.at(-1) ?? 0) + stepSeconds];
        },
      },
      y: { range: (_plot, _min, max) => [0, Math.max(max, 1)] },
    },
    axes: [
      {
        ...axis,
        show: hasTimeAxis,
        size: AXIS_PX,
        space: AXIS_LABEL_PX,
        grid: { show: false },
        values: (_plot, seconds) => seconds.map((one) => axisTime(new Date(one * 1_000).toISOString())),
      },
      {
        ...axis,
        size: COUNT_AXIS_PX,
        grid: { stroke: line, width: 1 },
        splits: (plot) => [0, plot.scales.y!.max ?? 1],
        values: (_plot, values) => values.map((value) => (Number.isInteger(value) ? String(value) : '')),
      },
    ],
    series: [{}, { fill: bar, width: 0, paths: pathOfBars, points: { show: false } }],
    hooks: {
      setCursor: [(plot) => props().onHover?.(plot.cursor.idx ?? null)],
      setSelect: [(plot) => choose(plot, props())],
    },
  };
}

function choose(plot: uPlot, { times, stepSeconds, onChoose }: BarsProps): void {
  const { left, width } = plot.select;
  if (width < MIN_DRAG_PX || onChoose === undefined) return;
  const indexAt = (px: number): number => plot.posToIdx(px);
  const [first, last] = [times[indexAt(left)], times[indexAt(left + width)]];
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  if (first !== undefined && last !== undefined) onChoose(first, last + stepSeconds);
}

/** Bars over time, with a separate scale. A drag chooses a period, a click a bar. */
export function Bars(props: BarsProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const { times, counts, colour, heightPx, hasTimeAxis, syncName, label } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only these create a new chart; its numbers are updated below
  useEffect(() => {
    const element = host.current!;
    const draw = (): void => {
      plot.current?.destroy();
      const { times: x, counts: y } = latest.current;
      const made = new uPlot(
        optionsOf(element, () => latest.current),
        [[...x], [...y]],
        element,
      );
      made.over.addEventListener('click', () => {
        const { times: all, stepSeconds, onChoose } = latest.current;
        const start = all[made.cursor.idx ?? -1];
        if (start !== undefined && made.select.width < MIN_DRAG_PX) onChoose?.(start, start + stepSeconds);
      });
      plot.current = made;
    };
    draw();
    const watch = new ResizeObserver(() => {
      const own = plot.current;
      const width = Math.max(element.clientWidth, 1);
      if (own !== null && own.width !== width) own.setSize({ width, height: own.height });
    });
    watch.observe(element);
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', draw);
    window.addEventListener('themechange', draw);
    return () => {
      watch.disconnect();
      system.removeEventListener('change', draw);
      window.removeEventListener('themechange', draw);
      plot.current?.destroy();
      plot.current = null;
    };
  }, [colour, heightPx, hasTimeAxis, syncName]);
  useEffect(() => {
    plot.current?.setData([[...times], [...counts]]);
  }, [times, counts]);
  return (
    <div ref={host} className="bars" role="img" aria-label={label} style={{ color: `var(${colour})` }} />
  );
}
