import { describe, expect, it } from 'vitest';
import { createStore } from '../store';
import { getClassrooms, keyText, readClassrooms, readKeyText, setJoined } from './classrooms';
import { inviteLink, startCourse } from './course-address';

const JOINED = { code: 'ABCD-2345', title: 'Spring', number: 3, nickname: 'mina', key: 'k', seed: 7 };
const TAUGHT = { code: 'ABCD-2345', title: 'Spring', key: 'abcdefghijklmnop' };

describe('the classes of a browser', () => {
  it('come back as they were kept', () => {
    const kept = JSON.stringify({ joined: JOINED, taught: [TAUGHT] });
    expect(readClassrooms(kept)).toEqual({ joined: JOINED, taught: [TAUGHT], invited: '', homework: null });
  });

  it('are none where the storage holds something else', () => {
    const nothing = { joined: null, taught: [], invited: '', homework: null };
    for (const text of [null, '', '[', 'null', '3', '{"joined": {"code": 3}, "taught": [null, 7, {"code": "x"}]}']) {
      expect(readClassrooms(text)).toEqual(nothing);
    }
    expect(readClassrooms(JSON.stringify({ joined: { ...JOINED, seed: 'x' } }))).toEqual(nothing);
  });

  it('open in another browser with one text', () => {
    expect(readKeyText(` ${keyText(TAUGHT)}\n`)).toEqual({ code: TAUGHT.code, key: TAUGHT.key });
    for (const text of ['', 'ABCD-2345', 'ABCD-2345.', 'ABCD-2345.<script>alert(1)</script>', 'x.abcdefghijklmnop']) {
      expect(readKeyText(text)).toBeNull();
    }
  });
});

describe('an address of the course', () => {
  it('opens the lessons with the code of the class in the form', () => {
    const store = createStore();
    startCourse(store, new URL(inviteLink('ABCD-2345', 'http://127.0.0.1')).search);
    expect(store.get().overlay).toBe('lessons');
    expect(getClassrooms().invited).toBe('ABCD-2345');
  });

  it('opens the homework of a class that was joined, and the form for others', () => {
    const address = '?class=ABCD-2345&lesson=ABCD-2345.empty-rows';
    const before = createStore();
    startCourse(before, address);
    expect([before.get().overlay, before.get().lesson]).toEqual(['lessons', null]);
    expect(getClassrooms().homework).toBe('ABCD-2345.empty-rows');
    setJoined(JOINED);
    const after = createStore();
    startCourse(after, address);
    expect([after.get().overlay, after.get().lesson]).toEqual([null, 'ABCD-2345.empty-rows']);
    startCourse(createStore(), '?class=ABCD-2345&lesson=javascript:alert(1)');
    expect(getClassrooms().homework).toBeNull();
    setJoined(null);
  });

  it('brings progress along', () => {
    const store = createStore();
    startCourse(store, '?progress=%7B%22seed%22%3A7%7D');
    expect(store.get().overlay).toBe('lessons');
  });

  it('does nothing where there is nothing of it', () => {
    const store = createStore();
    startCourse(store, '?decomposition');
    expect(store.get().overlay).toBeNull();
  });
});
