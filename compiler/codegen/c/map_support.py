"""The C functions of hash maps, the workspaces whose memory grows with what is in them."""

from __future__ import annotations

from compiler.codegen.c import memory_support, sort_support
from compiler.codegen.support import Support

_MAP = """\
// A hash table: keys and values by slot, found through linear probing. `cells` are the table's cells in use.
typedef struct {{
  int64_t* keys;
  {type}* vals;
  int64_t* cells;
  map_cell* table;
  map_cell* sorted;
  {type}* spare;
  int64_t size, capacity;
  int shift;
}} {name};

static inline uint64_t {name}_find(const {name}* map, int64_t key) {{
  uint64_t mask = 2 * (uint64_t)map->capacity - 1;
  uint64_t cell = (uint64_t)key * UINT64_C(0x9E3779B97F4A7C15) >> map->shift;
  while (map->table[cell].slot >= 0 && map->table[cell].key != key) cell = (cell + 1) & mask;
  return cell;
}}

static bool {name}_grow({name}* map) {{
  int64_t capacity = map->capacity ? 2 * map->capacity : 16;
  void* memory;
  if (!(memory = grow(map->keys, capacity, sizeof(int64_t)))) return false;
  map->keys = memory;
  if (!(memory = grow(map->vals, capacity, sizeof({type})))) return false;
  map->vals = memory;
  if (!(memory = grow(map->cells, capacity, sizeof(int64_t)))) return false;
  map->cells = memory;
  if (!(memory = grow(map->sorted, capacity, sizeof(map_cell)))) return false;
  map->sorted = memory;
  if (!(memory = grow(map->spare, capacity, sizeof({type})))) return false;
  map->spare = memory;
  if (!(memory = allocate(2 * capacity, sizeof(map_cell)))) return false;
  free(map->table);
  map->table = memory;
  map->shift = map->capacity ? map->shift - 1 : 59;
  map->capacity = capacity;
  for (int64_t cell = 0; cell < 2 * capacity; cell++) map->table[cell].slot = -1;
  for (int64_t slot = 0; slot < map->size; slot++) {{
    uint64_t cell = {name}_find(map, map->keys[slot]);
    map->table[cell] = (map_cell){{map->keys[slot], slot}};
    map->cells[slot] = (int64_t)cell;
  }}
  return true;
}}

// The slot of `key`, which is added with the value zero where it is new; -1 when there is no memory.
static inline int64_t {name}_slot({name}* map, int64_t key) {{
  uint64_t cell = 0;
  if (map->capacity) {{
    cell = {name}_find(map, key);
    if (map->table[cell].slot >= 0) return map->table[cell].slot;
  }}
  if (map->size == map->capacity) {{
    if (!{name}_grow(map)) return -1;
    cell = {name}_find(map, key);
  }}
  int64_t slot = map->size++;
  map->table[cell] = (map_cell){{key, slot}};
  map->cells[slot] = (int64_t)cell;
  map->keys[slot] = key;
  map->vals[slot] = 0;
  return slot;
}}

static void {name}_sort({name}* map) {{
  for (int64_t slot = 0; slot < map->size; slot++) map->sorted[slot] = (map_cell){{map->keys[slot], slot}};
  {sort}(map->sorted, map->size);
  for (int64_t slot = 0; slot < map->size; slot++) {{
    map->keys[slot] = map->sorted[slot].key;
    map->spare[slot] = map->vals[map->sorted[slot].slot];
    map->table[{name}_find(map, map->keys[slot])].slot = slot;
  }}
  {type}* sorted = map->spare;
  map->spare = map->vals;
  map->vals = sorted;
}}

static inline void {name}_clear({name}* map) {{
  for (int64_t entry = 0; entry < map->size; entry++) map->table[map->cells[entry]].slot = -1;
  map->size = 0;
}}

static void {name}_free({name}* map) {{
  free(map->keys);
  free(map->vals);
  free(map->cells);
  free(map->table);
  free(map->sorted);
  free(map->spare);
}}
"""


def map_type(support: Support, dtype: str) -> str:
    """The type of a map with values of ``dtype``; its functions are called ``<type>_slot`` and so on."""
    name = f"map_{dtype}"
    support.header("stdbool.h")
    memory_support.allocate(support)
    memory_support.grow(support)
    support.add("map_cell", "typedef struct {\n  int64_t key, slot;\n} map_cell;\n")
    by_key = sort_support.sort_by_key(support, "map_cell")
    return support.add(name, _MAP.format(name=name, type=support.type(dtype), sort=by_key))
