// The menu of what can be taken away: pictures, a film, numbers, a link.
import { csvOf } from './csv';
import { button, element } from './dom';
import { download, fileName } from './download';
import { type Looked, linkOf } from './link';
import { menu } from './menu';
import { pictureOf } from './picture';
import { filmKind, recordFilm } from './recorder';

export function saveMenu(title: string, looked: Looked): HTMLElement {
  const { player, stage, plots } = looked;
  const said = element('p', { class: 'note', role: 'status' });
  const entry = (text: string, help: string, act: () => void) =>
    button(text, help, act, 'choice-row');
  const entries: (HTMLElement | null)[] = [];
  if (stage) {
    entries.push(
      entry('Scene as PNG', 'The 3-D view as it is now', () => {
        stage.drawNow();
        stage.canvas.toBlob((blob) => blob && download(fileName(title, 'scene', 'png'), blob));
      }),
    );
  }
  if (plots) {
    entries.push(
      entry('Plots as PNG', 'The plots of the open tab, below each other', async () => {
        const blob = await pictureOf(plots.shownPlots());
        if (blob) download(fileName(title, plots.section, 'png'), blob);
      }),
      entry('Curves as CSV', 'The curves of the open tab in the time that is shown', () =>
        download(
          fileName(title, plots.section, 'csv'),
          new Blob([csvOf(player.times, plots.shownPlots(), plots.window)], { type: 'text/csv' }),
        ),
      ),
    );
  }
  if (stage && filmKind() && player.duration > 0) {
    entries.push(
      entry('Replay as WebM', 'Plays once at the chosen speed and saves it as a film', () =>
        recordFilm(stage.canvas, player, title, (part) => {
          said.textContent =
            part === null ? 'The film is saved.' : `Recording, ${Math.round(100 * part)} % …`;
        }),
      ),
    );
  }
  entries.push(
    entry('Link to this view', 'Puts time, tab and camera into the address, and copies it', () => {
      const link = linkOf(looked);
      location.hash = link.split('#')[1];
      said.textContent = 'The address holds time, tab and camera.';
      navigator.clipboard?.writeText(link).then(
        () => (said.textContent = 'The link is copied.'),
        () => undefined,
      );
    }),
  );
  return menu('Save', 'Pictures, film, numbers, link', 'save-menu', ...entries, said);
}
