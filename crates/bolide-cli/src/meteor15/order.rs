//! The order in which Java iterates over its hash tables. It decides ties between references and the order of
//! systems.

use bolide::unstable::meteor15::java::hash;

/// The order of a `Hashtable` into which these distinct keys were inserted in this order.
pub fn hashtable<'a>(keys: &[&'a str]) -> Vec<&'a str> {
    let bucket = |key: &str, n: usize| (hash(key) & i32::MAX) as usize % n;
    let mut buckets: Vec<Vec<&str>> = vec![Vec::new(); 11];
    for (count, key) in keys.iter().enumerate() {
        if count >= buckets.len() * 3 / 4 {
            let n = buckets.len() * 2 + 1;
            let mut grown: Vec<Vec<&str>> = vec![Vec::new(); n];
            for chain in buckets.iter().rev() {
                for key in chain {
                    grown[bucket(key, n)].insert(0, key);
                }
            }
            buckets = grown;
        }
        let n = buckets.len();
        buckets[bucket(key, n)].insert(0, key);
    }
    buckets.into_iter().rev().flatten().collect()
}

/// The order of a `HashSet` into which these distinct keys were inserted in this order.
pub fn hash_set<'a>(keys: &[&'a str]) -> Vec<&'a str> {
    let mut n = 16;
    while keys.len() > n * 3 / 4 {
        n *= 2;
    }
    let spread = |key: &str| {
        let h = hash(key) as u32;
        (h ^ h >> 16) as usize & (n - 1)
    };
    let mut order: Vec<(usize, &str)> = keys.iter().map(|&key| (spread(key), key)).collect();
    order.sort_by_key(|&(bucket, _)| bucket);
    order.into_iter().map(|(_, key)| key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_java() {
        // Printed by a JVM.
        let few = ["IIE-MT", "MiSS", "NiuTrans"];
        assert_eq!(hashtable(&few), ["MiSS", "IIE-MT", "NiuTrans"]);
        let letters: Vec<String> = ('a'..='l').map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        assert_eq!(
            hashtable(&letters),
            ["l", "k", "j", "i", "h", "g", "f", "e", "d", "c", "b", "a"]
        );
        let systems: Vec<String> = (0..30).map(|at| format!("sys-{at}")).collect();
        let systems: Vec<&str> = systems.iter().map(String::as_str).collect();
        let expected = [
            19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 29, 28, 27, 26, 25, 9, 24, 8, 23, 7, 22, 6, 21,
            5, 20, 4, 3, 2, 1, 0,
        ];
        assert_eq!(hashtable(&systems), expected.map(|at| systems[at]));
        assert_eq!(
            hash_set(&["newstest", "ted", "a", "Aa", "BB"]),
            ["Aa", "BB", "a", "ted", "newstest"]
        );
        let sets: Vec<String> = (0..20).map(|at| format!("set-{at}")).collect();
        let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
        let expected = [0, 1, 2, 7, 8, 9, 11, 10, 3, 13, 4, 12, 5, 15, 6, 14, 17, 16, 19, 18];
        assert_eq!(hash_set(&sets), expected.map(|at| sets[at]));
    }
}
