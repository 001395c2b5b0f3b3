//! The tables of parameters: every entry reads and writes its own field.

use search::params::Setting;
use search::{mcss, softmax, tree, uct};

/// Each setting takes another value than its default, and changes nothing else.
fn check<P: Clone + Default>(table: &[Setting<P>], others: &[&str]) {
    let texts = |params: &P| table.iter().map(|s| (s.get)(params)).collect::<Vec<_>>();
    let base = P::default();
    for setting in table {
        assert!(!(setting.set)(&mut base.clone(), "no such value"), "{}", setting.name);
        let before = (setting.get)(&base);
        assert!((setting.set)(&mut base.clone(), &before), "{}: its own default", setting.name);
        let changed = others.iter().find_map(|text| {
            let mut params = base.clone();
            ((setting.set)(&mut params, text) && (setting.get)(&params) != before).then_some(params)
        });
        let changed = changed.unwrap_or_else(|| panic!("{}: no other value fits", setting.name));
        let differing = texts(&changed).iter().zip(texts(&base)).filter(|(a, b)| **a != *b).count();
        assert_eq!(differing, 1, "{}", setting.name);
    }
}

#[test]
fn each_setting_changes_its_own_field() {
    let others = [
        "1",
        "2",
        "0.25",
        "3",
        "20",
        "100",
        "fixed",
        "probability",
        "pv0",
        "ucb1",
        "playout",
        "value",
        "visits",
    ];
    check(tree::TreeSettings::TABLE, &others);
    check(softmax::Params::TABLE, &others);
    check(mcss::Params::TABLE, &others);
    check(uct::Params::TABLE, &others);
}
