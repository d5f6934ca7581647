import { useState } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { applyTheme, isTheme, readTheme, THEMES } from './theme.ts';

const LABELS = { system: 'System', light: 'Light', dark: 'Dark' } as const;

export function ThemeSwitch() {
  const [theme, setTheme] = useState(() => readTheme(localStorage));
  return (
    <ToggleButtonGroup
      aria-label="Theme"
      className="segmented"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[theme]}
      onSelectionChange={(keys) => {
        const [chosen] = keys;
        if (!isTheme(chosen)) return;
        setTheme(chosen);
        applyTheme(chosen, document.documentElement, localStorage);
        // Charts cache the colours that they draw with.
        window.dispatchEvent(new Event('themechange'));
      }}
    >
      {THEMES.map((one) => (
        <ToggleButton key={one} id={one}>
          {LABELS[one]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
